package io.ballast.dns.zone.source;

import java.util.ArrayList;
import java.util.List;

/**
 * The errors and warnings about zones.
 *
 * @param errors errors that prevent serving
 * @param warnings probable mistakes that do not prevent serving
 */
public record ZoneFindings(List<ZoneProblem> errors, List<ZoneProblem> warnings) {

    public static final ZoneFindings NONE = new ZoneFindings(List.of(), List.of());

    public ZoneFindings {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    public static ZoneFindings ofErrors(List<ZoneProblem> errors) {
        return new ZoneFindings(errors, List.of());
    }

    /** Returns the combined findings. Costs nothing if {@code others} is empty, as for most zones. */
    public ZoneFindings and(ZoneFindings others) {
        if (others.errors.isEmpty() && others.warnings.isEmpty()) {
            return this;
        }
        return new ZoneFindings(joined(errors, others.errors), joined(warnings, others.warnings));
    }

    private static List<ZoneProblem> joined(List<ZoneProblem> first, List<ZoneProblem> second) {
        List<ZoneProblem> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
