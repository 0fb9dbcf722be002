package io.ballast.dns.forward.filter.list;

import java.util.List;

/** Lists that cannot be used as they are configured. */
public final class FilterListException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** @param problems one sentence each */
    FilterListException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the errors, one sentence each. */
    public List<String> problems() {
        return problems;
    }
}
