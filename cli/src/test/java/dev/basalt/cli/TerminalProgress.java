package dev.basalt.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.concurrent.CountDownLatch;

/** A program that shows progress wherever it is started, and ends once the first line of it is out. */
final class TerminalProgress {
    /** Longer than terminals are wide. */
    static final String PHASE = "0123456789".repeat(20);

    private TerminalProgress() {}

    /** What is written goes to standard output; the latch opens with the first flush. */
    private static final class Watched extends Writer {
        private final CountDownLatch said = new CountDownLatch(1);

        @Override
        public void write(char[] text, int offset, int length) {
            System.out.print(new String(text, offset, length));
        }

        @Override
        public void flush() {
            System.out.flush();
            said.countDown();
        }

        @Override
        public void close() {
            flush();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Watched out = new Watched();
        try (Progress progress = Progress.to(new PrintWriter(out))) {
            progress.phase(PHASE);
            out.said.await();
        }
    }
}
