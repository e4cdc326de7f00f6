package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Memory;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random programs against an oracle: what the checker reports, and what memory holds in the end. */
class RandomProgramTest {
    private static final int PROGRAMS = Boolean.getBoolean("basalt.test.long") ? 50_000 : 2_000;

    @Test
    void wellOrderedProgramsGiveNoAlarmAndOneResult() {
        for (long seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram program = RandomProgram.wellOrdered(seed, 40);
            assertThat(program.races).isEmpty();
            byte[] expected = result(program, Scheduling.EAGER, seed);
            assertThat(result(program, Scheduling.RANDOM, seed)).as("random scheduling, seed %d", seed)
                    .isEqualTo(expected);
            assertThat(result(program, Scheduling.LAZY, seed)).as("lazy scheduling, seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void everyRaceOfAWildProgramIsReportedAndNothingElse() {
        int racy = 0;
        for (long seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram program = RandomProgram.wild(seed, 25);
            Set<RandomProgram.Race> reported = reported(program, seed);
            assertThat(program.races).as("false alarms of seed %d in%n%s", seed, program).containsAll(reported);
            for (RandomProgram.Race race : program.races) {
                assertThat(covered(race, reported, program)).as("missed %s of seed %d in%n%s", race, seed, program)
                        .isTrue();
            }
            racy += program.races.isEmpty() ? 0 : 1;
        }
        assertThat(racy).isBetween(PROGRAMS / 10, PROGRAMS * 99 / 100);
    }

    @Test
    void longProgramsWithFewRacesAreToldFromThoseWithNone() {
        for (long seed = 1; seed <= 20; seed++) {
            RandomProgram program = RandomProgram.wellOrdered(-seed, 600);
            result(program, Scheduling.RANDOM, seed);
            RandomProgram wild = RandomProgram.wild(-seed, 300);
            assertThat(reported(wild, seed)).as("seed %d", seed).isNotEmpty();
        }
    }

    /** Reported itself, or hidden behind a later access of the same stream to the same bytes that was reported. */
    private static boolean covered(RandomProgram.Race race, Set<RandomProgram.Race> reported, RandomProgram program) {
        return reported.contains(race) || reported.stream()
                .anyMatch(other -> other.second() == race.second() && other.first() > race.first()
                        && program.streamOf(other.first()) == program.streamOf(race.first()));
    }

    private static Set<RandomProgram.Race> reported(RandomProgram program, long seed) {
        try (Rig rig = Rig.of(Scheduling.values()[(int) (seed % 3)], seed)) {
            program.run(rig);
            Set<RandomProgram.Race> reported = new TreeSet<>();
            for (Hazard hazard : rig.sim.hazards()) {
                assertThat(hazard.kind()).isEqualTo(Hazard.Kind.RACE);
                reported.add(new RandomProgram.Race(hazard.first().sequence(), hazard.second().sequence()));
            }
            return reported;
        }
    }

    private static byte[] result(RandomProgram program, Scheduling mode, long seed) {
        try (Rig rig = Rig.of(mode, seed)) {
            clear(rig.x);
            clear(rig.y);
            program.run(rig);
            rig.sim.synchronize();
            rig.sim.assertNoHazards();
            byte[] bytes = new byte[3 * (int) Rig.BLOCK];
            long[] blocks = {rig.x, rig.y, rig.host};
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = Memory.i8(blocks[(int) (i / Rig.BLOCK)] + i % Rig.BLOCK);
            }
            return bytes;
        }
    }

    private static void clear(long block) {
        Memory.fill(block, Rig.BLOCK, (byte) 0);
    }
}
