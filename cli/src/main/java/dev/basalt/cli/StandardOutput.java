package dev.basalt.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Standard output that does not lose anything in silence. Java's own notes a failure and goes on; this one ends the command at
 * the write that failed: by an exception, which passes through writers since it is none of input and output.
 */
final class StandardOutput extends OutputStream {
    private static final Path FILE = Path.of("/proc/self/fd/1");

    private final OutputStream to;
    private final BooleanSupplier pipe;
    private Failure failure;

    /**
     * Over another stream.
     *
     * @param to where everything goes at once
     * @param pipe whether that is known to be a pipe; asked after a failure only
     */
    StandardOutput(OutputStream to, BooleanSupplier pipe) {
        this.to = to;
        this.pipe = pipe;
    }

    /** A writer on the standard output of the process, in its character set. */
    static PrintWriter writer() {
        // The writer collects characters until it is flushed; the stream below passes them on at once.
        return new PrintWriter(new StandardOutput(new FileOutputStream(FileDescriptor.out), StandardOutput::isPipe),
                false, System.out.charset());
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
        // Once something is missing, what follows would make no sense.
        if (failure == null) {
            try {
                to.write(octets, offset, length);
                return;
            } catch (IOException e) {
                failure = isClosedPipe(e) ? Failure.closedPipe(e) : Failure.lostOutput(reason(e), e);
            }
        }
        throw failure;
    }

    /** Who did not listen at the write hears it here. */
    @Override
    public void flush() {
        if (failure != null) {
            throw failure;
        }
    }

    private static String reason(IOException e) {
        return "standard output cannot be written: " + e.getMessage();
    }

    /** The system's message may be in any language; but a write to a pipe fails for that reason alone. */
    private boolean isClosedPipe(IOException e) {
        return String.valueOf(e.getMessage()).contains("Broken pipe") || pipe.getAsBoolean();
    }

    private static boolean isPipe() {
        try {
            String target = Files.readSymbolicLink(FILE).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException unknown) {
            // Not Linux: the message has told all there is to know.
            return false;
        }
    }
}
