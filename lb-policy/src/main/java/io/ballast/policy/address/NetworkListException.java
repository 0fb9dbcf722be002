package io.ballast.policy.address;

import java.io.IOException;
import java.util.List;

/** Thrown if a file of networks cannot be used. */
public final class NetworkListException extends IOException {

    private final List<String> problems;

    NetworkListException(List<String> problems) {
        super(problems.get(0) + (problems.size() > 1 ? "; and other errors" : ""));
        this.problems = List.copyOf(problems);
    }

    /** The problems, at least one; each begins with the file and, if it has one, the line. */
    public List<String> problems() {
        return problems;
    }
}
