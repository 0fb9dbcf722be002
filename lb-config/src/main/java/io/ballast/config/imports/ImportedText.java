package io.ballast.config.imports;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads the text of an imported configuration file, which must be UTF-8 and at most {@link #MAX_BYTES} bytes
 * long.
 */
public final class ImportedText {

    /** Maximum size of a file in bytes. */
    public static final int MAX_BYTES = 4 * 1024 * 1024;

    private ImportedText() {}

    /**
     * Returns the text of a file.
     *
     * @throws ImportException if the text cannot be read
     */
    public static String of(Path file) throws ImportException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new ImportException(file + " is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new ImportException(file + " is larger than " + MAX_BYTES + " bytes");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') >= 0 || EnvironmentReference.collidesWith(text)) {
                throw new ImportException(file + " contains characters that are not allowed in a text file");
            }
            return text;
        } catch (NoSuchFileException e) {
            throw new ImportException(file + " does not exist");
        } catch (CharacterCodingException e) {
            throw new ImportException(file + " is not UTF-8");
        } catch (IOException e) {
            throw new ImportException(file + " cannot be read: " + ErrorText.reason(e));
        }
    }
}
