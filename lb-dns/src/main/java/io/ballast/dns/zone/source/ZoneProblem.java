package io.ballast.dns.zone.source;

import io.ballast.dns.zonefile.FileProblem;
import io.ballast.dns.zonefile.ZoneFilePosition;
import java.util.Optional;

/**
 * An error or a warning about a zone.
 *
 * @param place the position in its zone file; absent for a problem of the configuration itself
 * @param message the problem, in one line
 */
public record ZoneProblem(Optional<ZoneFilePosition> place, String message) {

    public static ZoneProblem of(FileProblem problem) {
        return new ZoneProblem(Optional.of(problem.place()), problem.text());
    }

    public static ZoneProblem ofConfiguration(String message) {
        return new ZoneProblem(Optional.empty(), message);
    }

    /** Returns {@code file:line:column: message}, or only the message if the problem is not in a file. */
    @Override
    public String toString() {
        return place.map(at -> at + ": ").orElse("") + message;
    }
}
