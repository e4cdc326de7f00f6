package dev.basalt.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {
    @TempDir
    private Path folder;

    private byte[] after(int... version) throws IOException {
        Path file = folder.resolve("module-info.class");
        byte[] bytes =
                {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, (byte) version[0], (byte) version[1], 7};
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        Descriptor.main(new String[] {folder.toString()});
        return Files.readAllBytes(file);
    }

    private long changed() throws IOException {
        return Files.getLastModifiedTime(folder.resolve("module-info.class")).toMillis();
    }

    @Test
    void aNewDescriptorGetsTheVersionOf17() throws IOException {
        assertThat(after(0, 69)).containsExactly(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 7);
        assertThat(changed()).isPositive();
        assertThat(after(1, 3)).containsExactly(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 7);
    }

    @Test
    void anOldOneIsNotTouched() throws IOException {
        assertThat(after(0, 61)).containsExactly(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 7);
        assertThat(changed()).isZero();
        assertThat(after(0, 53)[7]).isEqualTo((byte) 53);
    }
}
