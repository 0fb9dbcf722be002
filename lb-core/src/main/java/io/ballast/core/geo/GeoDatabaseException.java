package io.ballast.core.geo;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a database cannot be used; the message contains the file name and the reason. */
public final class GeoDatabaseException extends IOException {

    GeoDatabaseException(Path file, String why) {
        super(file + ": " + why);
    }

    GeoDatabaseException(Path file, String why, Throwable cause) {
        super(file + ": " + why, cause);
    }
}
