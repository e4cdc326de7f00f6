package dev.basalt.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a row says of its small lane. */
class SmallFactTest {
    private static ClassicFamily row(String arguments, String small) {
        return ClassicFamily.of("L | ?gesv | s d | lu.Gesv.ROUTINE + | " + arguments + " | Solves",
                List.of("small " + small));
    }

    private static List<String> call(ClassicFamily family) {
        Source out = new Source();
        SmallFact.of(family).call(out, family);
        return out.lines().stream().map(String::strip).toList();
    }

    @Test
    void stepsBehindTheOneThatTellsInfoAreTakenIfThatIsZero() {
        ClassicFamily family = row("n nrhs A:a*[n,n] ipiv:d*[n] B:c*[n,nrhs] info:e",
                "TRIANGLE info=getf2(n, n, A, ipiv, 0); getrs(Op.NONE, n, nrhs, A, ipiv, B) Gemm.PACKED");
        assertThat(SmallFact.of(family).extents(family)).isEqualTo("n, nrhs, n");
        assertThat(call(family)).containsExactly("long failed = kernels.getf2(n, n, a, lda, ipiv, 0);",
                "Memory.i32(info, (int) failed);", "if (failed == 0) {",
                "kernels.getrs(Op.NONE, n, nrhs, a, lda, ipiv, b, ldb);", "}", "h.ranDirect(routine, Gemm.PACKED);",
                "return Status.SUCCESS;");
    }

    @Test
    void kernelsMayBeThoseThatALeafHandsOut() {
        ClassicFamily family = row("n d:a*<n> e:c*<n-1> info:e", "MATVEC info=tridiagonal().pttrf(n, d, e) X.Y");
        assertThat(SmallFact.of(family).extents(family)).isEqualTo("n, 1, 1");
        assertThat(call(family)).contains("long failed = kernels.tridiagonal().pttrf(n, d, e);");
    }

    @Test
    void oneStepAloneTellsInfo() {
        ClassicFamily family = row("n A:c*[n,n] info:e", "FACTOR info=potf2(n, A); info=trtri(n, A) X.Y");
        assertThatThrownBy(() -> call(family)).hasMessageContaining("two steps tell the info");
    }
}
