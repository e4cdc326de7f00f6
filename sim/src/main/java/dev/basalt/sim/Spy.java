package dev.basalt.sim;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts, prices and, if asked to, writes down every driver call. */
final class Spy {
    private final Map<DriverCall, Long> counts = new EnumMap<>(DriverCall.class);
    private final Timeline timeline;
    private final List<LoggedCall> log = new ArrayList<>();
    private boolean logging;

    Spy(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Notes a call; {@code detail} alternates names and values. */
    void call(DriverCall call, Object... detail) {
        counts.merge(call, 1L, Long::sum);
        if (logging) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < detail.length; i += 2) {
                text.append(i > 0 ? " " : "").append(detail[i]).append('=').append(detail[i + 1]);
            }
            log.add(new LoggedCall(call, text.toString(), timeline.now()));
        }
        timeline.spend(call.nanos);
    }

    SpyCounts counts() {
        return new SpyCounts(counts);
    }

    /** Starts an empty log, or stops logging and keeps what there is. */
    void logging(boolean on) {
        if (on) {
            log.clear();
        }
        logging = on;
    }

    List<LoggedCall> log() {
        return List.copyOf(log);
    }
}
