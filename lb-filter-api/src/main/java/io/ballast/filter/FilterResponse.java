package io.ballast.filter;

/** The head of a backend's response. Immutable; a filter may keep it after the call. */
public interface FilterResponse {

    /** The status, from 200 to 599. */
    int status();

    /** The headers of the backend. */
    FilterHeaders headers();
}
