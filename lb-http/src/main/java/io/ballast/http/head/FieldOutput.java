package io.ballast.http.head;

/** Collects the fields of a head in the format of an HTTP version. Confined to one thread. */
public interface FieldOutput {

    /** Removes all fields. */
    void clear();

    /** Appends {@code :status}; must be the first field. */
    void status(int status);

    /** Appends a copy of a field; converts its name to lower case. */
    void field(byte[] names, int nameFrom, int nameTo, byte[] values, int valueFrom, int valueTo);
}
