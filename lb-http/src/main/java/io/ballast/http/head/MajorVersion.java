package io.ballast.http.head;

/** The major version of HTTP. */
public enum MajorVersion {
    HTTP_1,
    HTTP_2,
    HTTP_3;

    /** Whether the protocol itself marks the end of a body. */
    public boolean framesBodies() {
        return this != HTTP_1;
    }
}
