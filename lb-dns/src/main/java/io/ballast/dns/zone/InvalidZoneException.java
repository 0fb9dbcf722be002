package io.ballast.dns.zone;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A zone cannot be served as it was given. */
public final class InvalidZoneException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final List<String> problems;

    InvalidZoneException(List<String> problems, @Nullable Throwable cause) {
        super(String.join("; ", problems), cause);
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, each with the file, and the line or the name. */
    public List<String> problems() {
        return problems;
    }
}
