package io.ballast.filter;

/** The head of a backend's response. Immutable, and valid for any time. */
public interface FilterResponse {

    /** The status, from 200 to 599. */
    int status();

    /** The headers of the backend. */
    FilterHeaders headers();
}
