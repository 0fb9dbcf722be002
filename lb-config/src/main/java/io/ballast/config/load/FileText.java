package io.ballast.config.load;

import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the text of a configuration file, which must be UTF-8 and at most {@link #MAX_BYTES} bytes long. */
final class FileText {

    /** Maximum size of a file in bytes; sufficient for ten thousand backends with all settings. */
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    /** Opens the file and reads its text. */
    static final FileText OF_FILE = new FileText(FileText::open);

    private final Source source;

    @FunctionalInterface
    private interface Source {
        InputStream open(Path file) throws IOException;
    }

    private FileText(Source source) {
        this.source = source;
    }

    /** Whether the text comes from the file, and not from a stream. */
    @SuppressWarnings("ReferenceEquality") // there is one instance for all files
    boolean isFile() {
        return this == OF_FILE;
    }

    /** Reads the text from a stream instead of the file. The stream can be read once and is then closed. */
    static FileText of(InputStream text) {
        return new FileText(file -> text);
    }

    /**
     * Returns the text; returns empty after reporting an error at {@code place}, the position where the
     * configuration names the file.
     *
     * @param content receives the bytes of the text
     */
    Optional<String> read(Path file, SourcePosition place, Problems problems, Consumer<byte[]> content) {
        String subject = place.line() == 0 ? "" : file + " ";
        try {
            byte[] bytes = bytes(file);
            content.accept(bytes);
            return Optional.of(decode(bytes));
        } catch (NoSuchFileException e) {
            problems.error(place, "", subject + "does not exist");
        } catch (CharacterCodingException e) {
            problems.error(place, "", subject + "is not UTF-8");
        } catch (IOException e) {
            problems.error(place, "", subject + "cannot be read: " + ErrorText.reason(e));
        }
        return Optional.empty();
    }

    /** Whether the file can be read and has this content. */
    boolean hasContent(Path file, byte[] content) {
        try {
            return Arrays.equals(bytes(file), content);
        } catch (IOException e) {
            return false;
        }
    }

    private static InputStream open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        return Files.newInputStream(file);
    }

    private byte[] bytes(Path file) throws IOException {
        try (InputStream in = source.open(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it is larger than " + MAX_BYTES + " bytes");
            }
            return bytes;
        }
    }

    private static String decode(byte[] bytes) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }
}
