package io.ballast.dns.forward.filter.list;

import java.util.List;

/** Thrown when configured lists cannot be used. */
public final class FilterListException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** @param problems the errors, one sentence each */
    FilterListException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the errors, one sentence each. */
    public List<String> problems() {
        return problems;
    }
}
