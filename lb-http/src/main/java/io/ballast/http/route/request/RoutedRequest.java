package io.ballast.http.route.request;

/**
 * The parts of a request used for routing, independent of the protocol: ranges of one byte array, valid until the next
 * request is read.
 */
public interface RoutedRequest {

    byte[] bytes();

    int methodStart();

    int methodEnd();

    /** The start of the host name, without port; the range is empty if the request has no host. */
    int hostStart();

    int hostEnd();

    /** The end offset of the host, including its port if there is one. */
    int authorityEnd();

    /** The start of the target's path as sent, including the query; an empty path means {@code /}. */
    int pathStart();

    /** The end of the path and query. */
    int pathEnd();

    /**
     * Finds a header line.
     *
     * @param lowerCaseName the header's name in lower case
     * @param from the first line to check; 0 for all
     * @return the number of the line, or -1
     */
    int headerLine(byte[] lowerCaseName, int from);

    /** The number of header lines. */
    int headerCount();

    int headerNameStart(int line);

    int headerNameEnd(int line);

    /** The start of a line's value, without surrounding blanks. */
    int headerStart(int line);

    int headerEnd(int line);
}
