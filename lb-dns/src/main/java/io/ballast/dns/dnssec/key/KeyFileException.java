package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.nio.file.Path;

/** A key file that cannot be used, or a set of them that makes no sense. The message names the file and what is wrong. */
public final class KeyFileException extends IOException {

    KeyFileException(Path file, String problem) {
        super(file + ": " + problem);
    }

    KeyFileException(Path file, IOException cause) {
        super(file + ": cannot be read or written (" + cause + ")", cause);
    }
}
