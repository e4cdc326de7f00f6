package dev.basalt.conformance.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.PlannedCall;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every routine of {@link GoldenCall} launches what it launched when the golden file was made: the same kernels in the same order, with the same sizes,
 * options, places and workspace, in every tier. A line of the file is a digest over options, types and tiers; with the system
 * property {@value #LOG} the launches themselves are written to {@code target/golden}, where two commits can be compared.
 */
class GoldenLaunchesTest {
    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);

    private static final String LOG = "basalt.golden.log";

    /** Larger ones reach nothing more where blocks are of order 16 or 64, and there they are very many launches. */
    private static final long FEW_BLOCKS = 1000;

    private final boolean logs = Boolean.getBoolean(LOG);
    private final List<String> log = new ArrayList<>();

    @Test
    void launchesAreThoseOfTheGoldenFile() {
        Map<String, List<GoldenCall>> families = new LinkedHashMap<>();
        GoldenCall.all().forEach(c -> families.computeIfAbsent(c.routine(), k -> new ArrayList<>()).add(c));
        Map<String, DeviceTraits> classes = new LinkedHashMap<>();
        classes.put("host-assembled", GoldenClasses.assembled512(1));
        classes.put("host-scalar", GoldenClasses.scalar(1));
        classes.put("sim", GoldenClasses.sim());
        classes.put("cuda-sm90", GoldenClasses.cuda());
        List<String> lines = new ArrayList<>();
        classes.forEach((name, traits) -> families.forEach((family, calls) -> {
            boolean large = traits.reach().of(Kernel.TRSM, ElementType.F64) > traits.block();
            for (GoldenShape shape : GoldenShape.LAUNCHES) {
                if (!large && shape.m() > FEW_BLOCKS) {
                    continue;
                }
                lines.add(name + " " + family + " " + shape + ": " + launches(name, traits, calls, shape));
            }
        }));
        if (logs) {
            Golden.write(Path.of("target", "golden", "every-launch.txt"), log);
        }
        Golden.check("launches.txt", lines);
    }

    private String launches(String name, DeviceTraits traits, List<GoldenCall> calls, GoldenShape shape) {
        MessageDigest digest = Golden.digest();
        int made = 0;
        for (GoldenCall call : calls) {
            for (ElementType type : TYPES) {
                if (call.takes(type)) {
                    for (String launch : launches(traits, call, shape, type)) {
                        if (logs) {
                            log.add(name + " " + call.routine() + " " + call.options() + " " + shape + " " + launch);
                        }
                        digest.update(launch.getBytes(StandardCharsets.UTF_8));
                        made++;
                    }
                }
            }
        }
        return made + " launches " + Golden.text(digest);
    }

    private static List<String> launches(DeviceTraits traits, GoldenCall call, GoldenShape shape, ElementType type) {
        List<String> all = new ArrayList<>();
        PaperDriver paper = new PaperDriver(traits);
        try (Device device = Device.of(paper);
                Handle h = device.createHandle();
                Handle without = device.handleBuilder().maxManagedBytes(0).create();
                DeviceArena arena = device.arena()) {
            GoldenOperands shapes = new GoldenOperands(null, null, type, shape.count(), shape.tables());
            PlannedCall plan = h.plan(q -> call.body().run(q, shapes, shape.m(), shape.n(), shape.k())).calls().get(0);
            for (PlannedCall.Tier tier : plan.tiers()) {
                Handle lender = tier.bytes() > 0 ? h : without;
                if (tier.bytes() > 0) {
                    h.setDeviceMemorySize(tier.bytes());
                }
                GoldenOperands o = new GoldenOperands(arena, null, type, shape.count(), shape.tables());
                paper.forget();
                call.body().run(lender, o, shape.m(), shape.n(), shape.k());
                assertThat(lender.lastCall().tierName()).isEqualTo(tier.name());
                all.add(tier.name());
                all.addAll(paper.takeLaunches());
            }
        }
        return all;
    }
}
