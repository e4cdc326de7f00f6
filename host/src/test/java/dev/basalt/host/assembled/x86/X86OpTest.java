package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Gp.RAX;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row of the table, in every form that it says there is, has the bytes that the GNU assembler writes. */
class X86OpTest {
    private static final int[] BYTES = {16, 32, 64};

    private final GnuAssembler golden = new GnuAssembler();

    @TempDir
    Path folder;

    /** A row in one form. */
    private record Form(X86Op op, Real real, boolean evex, int bytes) {
        /** Operands in the assembler's order; whichever may be in memory is {@code memory} unless that is null. */
        String text(int[] fields, String memory, String mask) {
            List<String> operands = Arrays.stream(op.operands().split(" "))
                    .filter(operand -> operand.charAt(0) != '/')
                    .map(operand -> switch (operand.charAt(0)) {
                        case 'R' -> name(operand.charAt(1), fields[0]);
                        case 'V' -> name(operand.charAt(1), fields[1]);
                        case 'M' -> memory != null ? memory : name(operand.charAt(1), fields[2]);
                        case 'S' -> name(operand.charAt(1), fields[3] >> 4);
                        default -> Integer.toString(fields[3]);
                    })
                    .collect(Collectors.toList());
            operands.set(0, operands.get(0) + mask);
            return (evex ? "{evex} " : "{vex} ") + op.name(real) + " " + String.join(", ", operands);
        }

        private String name(char type, int register) {
            return switch (type) {
                case 'v' -> vector(bytes) + register;
                case 'h' -> vector(bytes / 2) + register;
                case 'f' -> vector(bytes / 4) + register;
                case 'x' -> "xmm" + register;
                case 'k' -> "k" + register;
                case 'q' -> GnuAssembler.name(gp(register));
                case 'r' -> register < 8 ? "e" + GnuAssembler.name(gp(register)).substring(1) : "r" + register + "d";
                default -> throw new IllegalArgumentException(op + " has an operand " + type);
            };
        }

        private static Gp gp(int number) {
            return Arrays.stream(Gp.values()).filter(r -> r.number() == number).findFirst().orElseThrow();
        }

        private static String vector(int bytes) {
            return bytes == 64 ? "zmm" : bytes == 32 ? "ymm" : "xmm";
        }

        /** How many registers there are of what a field of the instruction names, 1 if there is no such field. */
        int registers(char field) {
            int at = op.operands().indexOf(field);
            if (at < 0) {
                return 1;
            }
            return switch (op.operands().charAt(at + 1)) {
                case 'k' -> 8;
                case 'q', 'r' -> 16;
                default -> evex ? 32 : 16;
            };
        }

        boolean hasImmediate() {
            return op.operands().endsWith("i") || op.operands().contains("S");
        }

        /** Whether elements can stay as they are where a mask has zeros. */
        boolean masks() {
            return evex && op.operands().startsWith("Rv");
        }
    }

    @Test
    void everyRowHasTheAssemblersBytes() throws Exception {
        for (X86Op op : X86Op.values()) {
            boolean oneName = op.name(Real.F32).equals(op.name(Real.F64));
            for (Real real : oneName ? new Real[] {Real.F64} : Real.values()) {
                for (int bytes : BYTES) {
                    if (op.vex(bytes)) {
                        form(new Form(op, real, false, bytes));
                    }
                    if (op.evex(bytes)) {
                        form(new Form(op, real, true, bytes));
                    }
                }
            }
        }
        golden.compare(folder);
    }

    private void form(Form form) throws IOException {
        boolean memoryOnly = form.op().operands().contains("Mm");
        for (int i = 0; i < 32; i++) {
            int[] fields = {
                    form.op().operands().startsWith("/") ? form.op().digit() : i % form.registers('R'),
                    (i * 5 + 3) % form.registers('V'),
                    (i * 7 + 9) % form.registers('M'),
                    form.op().operands().contains("S") ? i % 16 << 4 : i % 16};
            int mask = form.masks() ? i % 4 : 0;
            String masked = mask == 0 ? "" : "{k" + mask + "}";
            if (!memoryOnly) {
                golden.add(code -> register(code, form, fields, mask), form.text(fields, null, masked));
            }
            if (form.op().inMemory()) {
                Mem m = GnuAssembler.OPERANDS.get(i % GnuAssembler.OPERANDS.size());
                boolean zeroing = mask == 3;
                golden.add(code -> memory(code, form, fields, m, mask, zeroing),
                        form.text(fields, pointer(form) + GnuAssembler.name(m), masked + (zeroing ? "{z}" : "")));
            }
        }
    }

    private static String pointer(Form form) {
        return switch (form.op().memory(form.real(), form.bytes())) {
            case 1 -> "byte ptr ";
            case 2 -> "word ptr ";
            case 4 -> "dword ptr ";
            case 8 -> "qword ptr ";
            case 16 -> "xmmword ptr ";
            case 32 -> "ymmword ptr ";
            default -> "zmmword ptr ";
        };
    }

    private static void register(Emitter code, Form form, int[] fields, int mask) {
        if (form.evex()) {
            code.evex(form.op(), form.real(), form.bytes(), fields[0], fields[1], fields[2], mask);
        } else {
            code.vex(form.op(), form.real(), form.bytes(), fields[0], fields[1], fields[2]);
        }
        if (form.hasImmediate()) {
            code.immediate8(fields[3]);
        }
    }

    private static void memory(Emitter code, Form form, int[] fields, Mem m, int mask, boolean zeroing) {
        if (form.evex()) {
            code.evex(form.op(), form.real(), form.bytes(), fields[0], fields[1], m, mask, zeroing);
        } else {
            code.vex(form.op(), form.real(), form.bytes(), fields[0], fields[1], m);
        }
        if (form.hasImmediate()) {
            code.immediate8(fields[3]);
        }
    }

    /** A form that a row does not have is refused where the kernel is written. */
    @Test
    void missingFormsAreRefused() {
        Emitter code = new Emitter();
        assertThatThrownBy(() -> code.vex(X86Op.PMAXSQ, Real.F64, 32, 0, 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PMAXSQ has no VEX form of 32 bytes");
        assertThatThrownBy(() -> code.evex(X86Op.MASKMOVP_LOAD, Real.F64, 64, 0, 1, 2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MASKMOVP_LOAD has no EVEX form of 64 bytes");
        assertThatThrownBy(() -> code.evex(X86Op.EXTRACTF64X4, Real.F64, 64, 0, 0, Mem.at(RAX, 0), 0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("EXTRACTF64X4 has no operand in memory");
    }
}
