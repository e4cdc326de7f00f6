package dev.basalt.conformance.golden;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.ElementType;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every routine of {@link GoldenCall} computes the bits that it computed when the golden file was made, on the devices whose arithmetic is plain Java and
 * so the same on every processor. A line is a digest over options.
 */
class GoldenBitsTest {
    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);

    @ParameterizedTest
    @CsvSource({
            "'host:engine=scalar,threads=1', bits-scalar.txt",
            "'host:engine=scalar,threads=3', bits-scalar.txt",
            "sim:seed=1, bits-sim.txt"})
    void bitsAreThoseOfTheGoldenFile(String name, String file) {
        Map<String, List<GoldenCall>> families = new LinkedHashMap<>();
        GoldenCall.all().forEach(c -> families.computeIfAbsent(c.routine(), k -> new ArrayList<>()).add(c));
        List<String> lines = new ArrayList<>();
        try (Device device = Devices.open(name); Handle h = device.createHandle()) {
            families.forEach((family, calls) -> {
                for (GoldenShape shape : GoldenShape.BITS) {
                    for (ElementType type : TYPES) {
                        if (calls.stream().anyMatch(c -> c.takes(type))) {
                            lines.add(
                                    type.letter() + family + " " + shape + ": " + bits(device, h, calls, shape, type));
                        }
                    }
                }
            });
        }
        Golden.check(file, lines);
    }

    private static String bits(Device device, Handle h, List<GoldenCall> calls, GoldenShape shape, ElementType type) {
        MessageDigest digest = Golden.digest();
        for (GoldenCall call : calls) {
            if (call.takes(type)) {
                try (DeviceArena arena = device.arena()) {
                    Random random = new Random((shape + " " + call.options()).hashCode());
                    GoldenOperands o = new GoldenOperands(arena, random, type, shape.count(), shape.tables());
                    call.body().run(h, o, shape.m(), shape.n(), shape.k());
                    o.digest(digest);
                }
            }
        }
        return Golden.text(digest);
    }
}
