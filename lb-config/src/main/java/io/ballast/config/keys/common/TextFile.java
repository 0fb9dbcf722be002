package io.ballast.config.keys.common;

import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Reads files that belong to the configuration. A reload reads them again. */
public final class TextFile {

    private TextFile() {}

    /**
     * Returns the content of a UTF-8 file; empty after reporting that it is missing, too large or not UTF-8.
     *
     * @param named the node that names the file
     */
    public static Optional<String> read(Path file, int maxBytes, Node named, ReadContext reading) {
        reading.registerFile(file);
        try (InputStream in = RegularFile.open(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length <= maxBytes) {
                return Optional.of(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString());
            }
            reading.error(named, file + " is larger than " + maxBytes + " bytes");
        } catch (CharacterCodingException e) {
            reading.error(named, file + " is not UTF-8");
        } catch (IOException e) {
            reading.error(named, file + " cannot be read: " + ErrorText.reason(e));
        }
        return Optional.empty();
    }
}
