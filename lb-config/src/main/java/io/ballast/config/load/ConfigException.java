package io.ballast.config.load;

import io.ballast.config.yaml.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown if a configuration cannot be used; contains all its problems. */
public final class ConfigException extends Exception {

    /** Exit code of a command that cannot use its configuration. */
    public static final int EXIT_CODE = 2;

    private final transient List<Problem> problems;
    private final transient List<Problem> warnings;

    private final transient Sources sources;

    ConfigException(List<Problem> problems, List<Problem> warnings, Sources sources) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
        this.warnings = List.copyOf(warnings);
        this.sources = sources;
    }

    /** Returns the errors in the order of the file's lines; at least one. */
    public List<Problem> problems() {
        return problems;
    }

    /** Returns the files that were read; a change of one of them may fix the problem. */
    public Sources sources() {
        return sources;
    }

    /** Returns the warnings. */
    public List<Problem> warnings() {
        return warnings;
    }
}
