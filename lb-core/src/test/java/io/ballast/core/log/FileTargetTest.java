package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTargetTest {

    @TempDir
    private Path directory;

    @Test
    void appendsAndReopensAfterRotation() throws IOException {
        Path file = Files.writeString(directory.resolve("access.log"), "before\n");
        Path rotated = directory.resolve("access.log.1");
        FileTarget target = FileTarget.open(file);
        write(target, "one\n");
        target.refresh();
        write(target, "two\n");

        Files.move(file, rotated);
        write(target, "three\n");
        target.refresh();
        write(target, "four\n");
        target.close();

        assertThat(rotated).hasContent("before\none\ntwo\nthree\n");
        assertThat(file).hasContent("four\n");
    }

    @Test
    void fileIsNotReadableByOthers() throws IOException {
        Path file = directory.resolve("access.log");

        FileTarget.open(file).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .endsWith("---")
                .startsWith("rw");
    }

    @Test
    void reopensReplacedFile() throws IOException {
        Path file = directory.resolve("access.log");
        FileTarget target = FileTarget.open(file);
        Path other = Files.writeString(directory.resolve("other"), "");
        Files.move(file, directory.resolve("access.log.1"));
        Files.move(other, file);
        target.refresh();
        write(target, "here\n");
        target.close();

        assertThat(file).hasContent("here\n");
    }

    @Test
    void retrySucceedsWhenFileCanBeOpened() throws IOException {
        Path below = Files.createDirectory(directory.resolve("logs"));
        Path file = below.resolve("access.log");
        FileTarget target = FileTarget.open(file);
        Files.delete(file);
        Files.delete(below);
        assertThatThrownBy(target::refresh).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> write(target, "lost\n")).isInstanceOf(NoSuchFileException.class);

        Files.createDirectory(below);
        write(target, "found\n");
        target.close();

        assertThat(file).hasContent("found\n");
    }

    @Test
    void partialWriteOnFullDiskIsRemoved() throws IOException {
        Path file = directory.resolve("dns.tap");
        FullDisk[] disk = new FullDisk[1];
        FileTarget target =
                FileTarget.open(file, bytes("<"), bytes(">"), path -> disk[0] = new FullDisk(path, /* room= */ 8));
        write(target, "one,");
        assertThatThrownBy(() -> write(target, "two,three,")).hasMessage("No space left on device");
        assertThatThrownBy(() -> write(target, "four,")).hasMessage("No space left on device");
        assertThat(file).hasContent("<one,");

        disk[0].room = 100;
        write(target, "five,");
        target.close();

        assertThat(file).hasContent("<one,five,>");
    }

    @Test
    void headerIsWrittenWhenSpaceReturns() throws IOException {
        Path file = directory.resolve("dns.tap");
        int[] room = {5};
        FileTarget target = FileTarget.open(file, bytes("<<<"), bytes(">"), path -> new FullDisk(path, room[0]));
        target.close();
        Files.delete(file);
        room[0] = 2;
        assertThatThrownBy(() -> write(target, "one,")).hasMessage("No space left on device");
        assertThat(file).isEmptyFile();

        room[0] = 100;
        write(target, "two,");
        target.close();

        assertThat(file).hasContent("<<<two,>");
    }

    /** Tests that data that another process has appended after the partial record is kept. */
    @Test
    void truncationKeepsDataOfOtherProcess() throws IOException {
        Path file = directory.resolve("access.log");
        FullDisk[] disk = new FullDisk[1];
        FileTarget target =
                FileTarget.open(file, bytes(""), bytes(""), path -> disk[0] = new FullDisk(path, /* room= */ 2));
        disk[0].meanwhile = "other\n";

        assertThatThrownBy(() -> write(target, "one\n")).hasMessage("No space left on device");

        assertThat(file).hasContent("onother\n");
    }

    /** A file opened for appending on a disk with little free space. */
    private static final class FullDisk implements SeekableByteChannel {

        private final SeekableByteChannel file;
        private final Path path;
        private int room;
        private String meanwhile = "";

        FullDisk(Path path, int room) throws IOException {
            this.path = path;
            this.file = Files.newByteChannel(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            this.room = room;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            if (room == 0) {
                Files.writeString(path, meanwhile, StandardOpenOption.APPEND);
                throw new IOException("No space left on device");
            }
            ByteBuffer fits = source.slice();
            fits.limit(Math.min(room, fits.limit()));
            int written = file.write(fits);
            source.position(source.position() + written);
            room -= written;
            return written;
        }

        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            room += (int) (file.size() - size);
            file.truncate(size);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return file.read(target);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public SeekableByteChannel position(long next) throws IOException {
            file.position(next);
            return this;
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void write(LogTarget target, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        target.write(bytes, bytes.length);
    }
}
