package dev.basalt.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory the process may use: what the machine has, or the limit of the container around the process. Read from
 * {@code /proc} and {@code /sys}, so that no more modules of the JDK are needed; elsewhere nothing is known, and the system
 * itself has to refuse.
 */
final class MachineMemory {
    /** Stands for "not known": no request is larger. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private final Path root;
    private final long total;

    /**
     * Reads the totals.
     *
     * @param root what to take for the root of the file system
     */
    MachineMemory(Path root) {
        this.root = root;
        this.total = Math.min(meminfo("MemTotal:"), cgroup("memory.max", "memory.limit_in_bytes", false));
    }

    /** The memory in all: of the machine, or as limited by a control group. */
    long total() {
        return total;
    }

    /** The memory that can be had now without swapping; a little over 30 µs. */
    long available() {
        return Math.min(meminfo("MemAvailable:"), cgroup("memory.max", "memory.limit_in_bytes", true));
    }

    private long meminfo(String key) {
        return value(root.resolve("proc/meminfo"), key, 1024);
    }

    /** The tightest limit from the process's own group up to the root; with {@code left}, less what is used. */
    private long cgroup(String limitV2, String limitV1, boolean left) {
        long tightest = UNKNOWN;
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] part = line.split(":", 3);
            if (part.length == 3 && part[1].isEmpty()) {
                Path top = root.resolve("sys/fs/cgroup");
                Path group = top.resolve(relative(part[2]));
                for (; group != null && group.startsWith(top); group = group.getParent()) {
                    tightest = Math.min(tightest, group(group, limitV2, "memory.current", "inactive_file", left));
                }
            } else if (part.length == 3 && List.of(part[1].split(",")).contains("memory")) {
                Path top = root.resolve("sys/fs/cgroup/memory");
                Path own = top.resolve(relative(part[2]));
                // Inside a container the path is that of the machine, where there is no such folder.
                Path group = Files.isDirectory(own) ? own : top;
                tightest =
                        Math.min(tightest, group(group, limitV1, "memory.usage_in_bytes", "total_inactive_file", left));
            }
        }
        return tightest;
    }

    /** Cached files count as used, but the system drops those that nobody looked at lately before it refuses. */
    private static long group(Path folder, String limitFile, String usedFile, String cacheKey, boolean left) {
        long limit = value(folder.resolve(limitFile), "", 1);
        if (limit == UNKNOWN || !left) {
            return limit;
        }
        long used = value(folder.resolve(usedFile), "", 1);
        long cache = value(folder.resolve("memory.stat"), cacheKey + " ", 1);
        return used == UNKNOWN ? limit : Math.max(0, limit - used + (cache == UNKNOWN ? 0 : cache));
    }

    private static Path relative(String path) {
        return Path.of(path.startsWith("/") ? path.substring(1) : path);
    }

    /** The number behind a key; a file without it, and the word {@code max}, are {@link #UNKNOWN}. */
    private static long value(Path file, String key, long unit) {
        for (String line : lines(file)) {
            if (line.startsWith(key)) {
                String number = line.substring(key.length()).replace("kB", "").strip();
                try {
                    return Math.multiplyExact(Long.parseLong(number), unit);
                } catch (ArithmeticException | NumberFormatException e) {
                    return UNKNOWN;
                }
            }
        }
        return UNKNOWN;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }
}
