package dev.basalt.netlib;

import com.sun.management.OperatingSystemMXBean;
import dev.ludovic.netlib.blas.BLAS;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.GaussianMixtureModel;
import org.apache.spark.ml.feature.PCA;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.mllib.linalg.Matrix;
import org.apache.spark.mllib.linalg.distributed.BlockMatrix;
import org.apache.spark.mllib.linalg.distributed.RowMatrix;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Jobs of Spark MLlib in a JVM of their own: {@code SparkJobs on|off small|medium|full}; medium ones have the columns of
 * the full ones and a quarter of their rows. Each prints its seconds, by the clock and of processors, and what it learnt, in a form
 * that does not depend on signs and orders that an algorithm leaves open.
 */
public final class SparkJobs {
    /** In a cluster Basalt comes by an option of Spark, or not at all. */
    private static final boolean IS_THERE = isThere();

    private final SparkSession spark;
    private final boolean full;
    private final int share;

    private SparkJobs(SparkSession spark, String size) {
        this.spark = spark;
        this.full = !size.equals("small");
        this.share = size.equals("medium") ? 4 : 1;
    }

    private static boolean isThere() {
        try {
            Class.forName("dev.basalt.netlib.Netlib", false, SparkJobs.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    public static void main(String[] args) throws IOException {
        boolean on = args[0].equals("on");
        SparkSession.Builder builder = SparkSession.builder()
                .master(System.getProperty("spark.master", "local[2]"))
                .appName("netlib " + args[0])
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.default.parallelism", "2")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1");
        if (on) {
            builder.config("spark.plugins", "dev.basalt.netlib.BasaltPlugin");
        }
        try (SparkSession spark = builder.getOrCreate()) {
            SparkJobs jobs = new SparkJobs(spark, args[1]);
            int rounds = args[1].equals("full") ? 3 : 1;
            for (String wanted : args.length > 2 ? args[2].split(",") : NAMES) {
                if (wanted.equals("executors")) {
                    jobs.executors();
                } else {
                    jobs.time(wanted, rounds);
                }
            }
        }
        if (on) {
            System.out.println("served " + Netlib.served());
            System.out.println("delegated " + Netlib.delegated());
        }
    }

    /** Asks the executors who does their BLAS, and what Basalt has served there. */
    private void executors() {
        JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(List.of(0, 1, 2, 3, 4, 5), 6)
                .map(task -> "executor " + SparkEnv.get().executorId() + " "
                        + BLAS.getInstance().getClass().getSimpleName()
                        + (System.getProperty("basalt.netlib.counts") == null ? "" : " served " + Netlib.served()))
                .collect()
                .forEach(System.out::println);
    }

    private static final String[] NAMES = {"als", "regression", "pca", "svd", "mixture", "multiply"};

    private void time(String name, int rounds) {
        Supplier<double[]> job = switch (name) {
            case "als" -> als();
            case "regression" -> regression();
            case "pca" -> pca();
            case "svd" -> svd();
            case "mixture" -> mixture();
            case "multiply" -> multiply();
            default -> throw new IllegalArgumentException("no job " + name);
        };
        double[] seconds = new double[rounds];
        double[] learnt = {};
        long served = IS_THERE ? sum(Netlib.served()) : 0;
        long delegated = IS_THERE ? sum(Netlib.delegated()) : 0;
        long processors = processors();
        double compilers = compilers();
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            learnt = job.get();
            seconds[i] = (System.nanoTime() - start) / 1e9;
        }
        double used = (processors() - processors) / 1e9 / rounds;
        Arrays.sort(seconds);
        System.out.printf(Locale.ROOT, "seconds %s %.3f%n", name, seconds[rounds / 2]);
        System.out.printf(Locale.ROOT, "processors %s %.3f%n", name, used);
        System.out.printf(Locale.ROOT, "compilers %s %.3f%n", name, (compilers() - compilers) / rounds);
        if (IS_THERE) {
            System.out.println("calls " + name + " " + (sum(Netlib.served()) - served) + " "
                    + (sum(Netlib.delegated()) - delegated));
        }
        StringBuilder line = new StringBuilder("learnt ").append(name);
        for (double value : learnt) {
            line.append(' ').append(value);
        }
        System.out.println(line);
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What all threads of this JVM have used, in nanoseconds: where others use the processors too, it says more than the clock. */
    private static long processors() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Seconds of processors that the JVM's compilers have used, 0 where the system does not tell. Linux counts in hundredths. */
    private static double compilers() {
        double ticks = 0;
        File[] threads = new File("/proc/self/task").listFiles();
        for (File thread : threads == null ? new File[0] : threads) {
            try {
                String stat = Files.readString(thread.toPath().resolve("stat"));
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                String[] numbers = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
                    ticks += Double.parseDouble(numbers[11]) + Double.parseDouble(numbers[12]);
                }
            } catch (IOException e) {
                // The thread has ended. Compilers do not: the JVM is told to keep them.
            }
        }
        return ticks / 100;
    }

    /**
     * Factors of a matrix of rank 5; the learnt ratings of three users are compared, in the order of user and item. A plain limit would take
     * whichever rows a shuffle delivers first.
     */
    private Supplier<double[]> als() {
        int users = full ? 6000 / share : 120;
        int items = full ? 2000 : 60;
        int rank = full ? 100 : 6;
        int each = full ? 60 : 20;
        List<Row> ratings = new ArrayList<>();
        Random random = new Random(1);
        double[][] u = gaussian(random, users, 5);
        double[][] v = gaussian(random, items, 5);
        for (int i = 0; i < users; i++) {
            for (int j : random.ints(0, items).distinct().limit(each).toArray()) {
                ratings.add(RowFactory.create(i, j, (float) dot(u[i], v[j])));
            }
        }
        Dataset<Row> data = table(ratings, field("user"), field("item"),
                DataTypes.createStructField("rating", DataTypes.FloatType, false));
        return () -> {
            ALSModel model = new ALS().setRank(rank)
                    .setMaxIter(full ? 3 : 2)
                    .setRegParam(0.1)
                    .setSeed(7)
                    .setNumBlocks(2)
                    .setUserCol("user")
                    .setItemCol("item")
                    .setRatingCol("rating")
                    .fit(data);
            return model.transform(data.filter("user < 3"))
                    .orderBy("user", "item")
                    .select("prediction")
                    .collectAsList()
                    .stream()
                    .mapToDouble(row -> row.getFloat(0))
                    .toArray();
        };
    }

    /** The normal equations: Gramians by packed updates, Cholesky of a packed matrix. */
    private Supplier<double[]> regression() {
        Dataset<Row> data = labelled(full ? 60_000 / share : 300, full ? 400 : 12);
        return () -> {
            LinearRegressionModel model = new LinearRegression().setSolver("normal").setRegParam(0.01).fit(data);
            double[] learnt = Arrays.copyOf(model.coefficients().toArray(), model.numFeatures() + 1);
            learnt[model.numFeatures()] = model.intercept();
            return learnt;
        };
    }

    private Supplier<double[]> pca() {
        Dataset<Row> data = labelled(full ? 20_000 / share : 200, full ? 400 : 10);
        return () -> new PCA().setInputCol("features")
                .setK(3)
                .setOutputCol("pca")
                .fit(data)
                .explainedVariance()
                .toArray();
    }

    /** Singular values of a tall matrix: by ARPACK where it has many columns. */
    private Supplier<double[]> svd() {
        int columns = full ? 600 : 110;
        RowMatrix matrix = new RowMatrix(labelled(full ? 10_000 / share : 150, columns).javaRDD()
                .map(row -> org.apache.spark.mllib.linalg.Vectors
                        .fromML(row.<org.apache.spark.ml.linalg.Vector>getAs("features")))
                .cache()
                .rdd());
        return () -> matrix.computeSVD(5, false, 1e-9).s().toArray();
    }

    private Supplier<double[]> mixture() {
        int rows = full ? 20_000 / share : 200;
        int columns = full ? 60 : 4;
        Random random = new Random(3);
        List<Row> points = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            double[] point = random.doubles(columns).map(x -> x - 0.5).toArray();
            point[0] += i % 2 == 0 ? 4 : -4;
            points.add(RowFactory.create(0.0, Vectors.dense(point)));
        }
        Dataset<Row> data = features(points).cache();
        return () -> {
            GaussianMixtureModel model = new GaussianMixture().setK(2).setMaxIter(5).setSeed(5).fit(data);
            return Arrays.stream(model.gaussians()).mapToDouble(g -> g.mean().apply(0)).sorted().toArray();
        };
    }

    private Supplier<double[]> multiply() {
        int order = full ? 3000 : 64;
        int block = full ? 1024 : 32;
        int width = Math.ceilDiv(order, block);
        JavaRDD<scala.Tuple2<scala.Tuple2<Object, Object>, Matrix>> blocks =
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(IntStream.range(0, width * width).boxed().toList(), 2)
                        .map(at -> {
                            int rows = Math.min(block, order - at % width * block);
                            int columns = Math.min(block, order - at / width * block);
                            Random random = new Random(at);
                            return new scala.Tuple2<>(new scala.Tuple2<Object, Object>(at % width, at / width),
                                    org.apache.spark.mllib.linalg.Matrices.dense(rows, columns,
                                            random.doubles((long) rows * columns).toArray()));
                        });
        BlockMatrix matrix = new BlockMatrix(blocks.cache().rdd(), block, block, order, order);
        matrix.validate();
        return () -> {
            double trace = matrix.multiply(matrix)
                    .blocks()
                    .toJavaRDD()
                    .map(b -> Arrays.stream(b._2().toArray()).sum())
                    .reduce(Double::sum);
            return new double[] {trace};
        };
    }

    private Dataset<Row> labelled(int rows, int columns) {
        Random random = new Random(2);
        double[] truth = random.doubles(columns).toArray();
        List<Integer> parts = List.of(0, 1, 2, 3);
        JavaRDD<Row> data =
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(parts, 4).flatMap(part -> {
                    Random own = new Random(part);
                    return IntStream.range(0, rows / 4).mapToObj(i -> {
                        double[] x = own.doubles(columns).toArray();
                        for (int j = 0; j < columns; j++) {
                            x[j] *= 1 + 3.0 * j / columns;
                        }
                        return RowFactory.create(dot(x, truth) + 0.1 * own.nextGaussian(), Vectors.dense(x));
                    }).iterator();
                });
        Dataset<Row> table = spark.createDataFrame(data, featureType()).cache();
        table.count();
        return table;
    }

    private Dataset<Row> features(List<Row> rows) {
        return spark.createDataFrame(rows, featureType());
    }

    private static StructType featureType() {
        return new StructType(new StructField[] {
                DataTypes.createStructField("label", DataTypes.DoubleType, false),
                DataTypes.createStructField("features", SQLDataTypes.VectorType(), false)});
    }

    private Dataset<Row> table(List<Row> rows, StructField... fields) {
        Dataset<Row> table = spark.createDataFrame(rows, new StructType(fields)).cache();
        table.count();
        return table;
    }

    private static StructField field(String name) {
        return DataTypes.createStructField(name, DataTypes.IntegerType, false);
    }

    private static double[][] gaussian(Random random, int rows, int columns) {
        double[][] matrix = new double[rows][columns];
        for (double[] row : matrix) {
            Arrays.setAll(row, j -> random.nextGaussian());
        }
        return matrix;
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }
}
