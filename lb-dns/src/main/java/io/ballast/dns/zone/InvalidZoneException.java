package io.ballast.dns.zone;

import io.ballast.dns.zone.source.ZoneProblem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when a zone has errors that prevent it from being served. */
public final class InvalidZoneException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    InvalidZoneException(List<ZoneProblem> problems) {
        super(problems.stream().map(ZoneProblem::toString).collect(Collectors.joining("; ")));
    }
}
