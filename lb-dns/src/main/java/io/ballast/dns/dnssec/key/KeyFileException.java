package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown if a key file is unusable, or several key files are inconsistent. The message names the file and the
 * problem.
 */
public final class KeyFileException extends IOException {

    KeyFileException(Path file, String problem) {
        super(file + ": " + problem);
    }

    KeyFileException(Path file, IOException cause) {
        super(file + ": cannot be read or written (" + cause + ")", cause);
    }
}
