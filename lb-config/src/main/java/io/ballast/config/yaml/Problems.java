package io.ballast.config.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All errors and warnings of one configuration. Thread safety: confined to the thread that reads it. */
public final class Problems {

    private static final Comparator<Problem> BY_PLACE = Comparator.comparing(
            Problem::place,
            Comparator.comparing(SourcePosition::file)
                    .thenComparingInt(SourcePosition::line)
                    .thenComparingInt(SourcePosition::column));

    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    public void error(SourcePosition place, String path, String message) {
        errors.add(new Problem(place, path, message));
    }

    public void warning(SourcePosition place, String path, String message) {
        warnings.add(new Problem(place, path, message));
    }

    public boolean hasErrors() {
        return !errors.isEmpty();
    }

    /**
     * Returns the errors, sorted by file and line, without duplicates. Duplicates occur because an object that is
     * built twice reports its errors twice.
     */
    public List<Problem> errors() {
        return errors.stream().distinct().sorted(BY_PLACE).toList();
    }

    /** Returns the warnings, sorted by file and line. */
    public List<Problem> warnings() {
        return warnings.stream().sorted(BY_PLACE).toList();
    }
}
