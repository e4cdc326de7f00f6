package dev.basalt.conformance.every;

/** Level 1 on two vectors as its definitions say: one element after the other, even if all are the same one. */
final class NaiveVectors {
    private final TableCall call;
    private final Problem p;
    private final Stored x;
    private final Stored y;

    private NaiveVectors(TableCall call, Problem problem) {
        this.call = call;
        this.p = problem;
        this.x = call.stored.get("x");
        this.y = call.stored.get("y");
    }

    static boolean has(TableCall call) {
        return call.family().matches("dot[uc]?|axpy|copy|swap|rotm?") && call.stored.containsKey("y");
    }

    /** Replaces what the routine overwrites by its results. */
    static void run(TableCall call, Problem problem) {
        new NaiveVectors(call, problem).run();
    }

    private void run() {
        double[] sum = new double[2];
        for (int i = 0; i < call.sizes.get("n"); i++) {
            double[] u = get(x, i);
            double[] v = get(y, i);
            switch (call.family()) {
                case "axpy" -> put(y, i, sum(v, product(scalar("alpha"), u)));
                case "copy" -> put(y, i, u);
                case "swap" -> {
                    put(x, i, v);
                    put(y, i, u);
                }
                case "rot" -> rotate(i, u, v);
                case "rotm" -> rotateModified(i, u[0], v[0]);
                default -> sum = sum(sum, product(call.family().equals("dotc") ? conjugate(u) : u, v));
            }
        }
        Stored result = call.stored.get("result");
        if (result != null) {
            put(result, 0, sum);
        }
    }

    /** x := c·x + s·y and y := c·y − s̄·x. */
    private void rotate(int i, double[] u, double[] v) {
        double[] c = scalar("c");
        double[] s = scalar("s");
        double[] back = conjugate(s);
        put(x, i, sum(product(c, u), product(s, v)));
        put(y, i, sum(product(c, v), new double[] {-product(back, u)[0], -product(back, u)[1]}));
    }

    /** By a 2×2 matrix; the flag says which of its elements are 1, −1 or given. */
    private void rotateModified(int i, double u, double v) {
        double[] param = p.arrays().get("param");
        double flag = param[0];
        if (flag == -2) {
            return;
        }
        double h11 = flag > 0 || flag < 0 ? param[1] : 1;
        double h21 = flag > 0 ? -1 : param[2];
        double h12 = flag > 0 ? 1 : param[3];
        double h22 = flag > 0 || flag < 0 ? param[4] : 1;
        put(x, i, new double[] {h11 * u + h12 * v, 0});
        put(y, i, new double[] {h21 * u + h22 * v, 0});
    }

    private double[] scalar(String name) {
        return p.scalars().get(name);
    }

    private double[] get(Stored s, int i) {
        double[] a = p.arrays().get(s.name());
        int at = s.parts() * s.at()[i];
        return new double[] {a[at], s.parts() == 2 ? a[at + 1] : 0};
    }

    private void put(Stored s, int i, double[] v) {
        System.arraycopy(v, 0, p.arrays().get(s.name()), s.parts() * s.at()[i], s.parts());
    }

    private static double[] sum(double[] a, double[] b) {
        return new double[] {a[0] + b[0], a[1] + b[1]};
    }

    private static double[] product(double[] a, double[] b) {
        return new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
    }

    private static double[] conjugate(double[] a) {
        return new double[] {a[0], -a[1]};
    }
}
