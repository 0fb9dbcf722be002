package io.ballast.http.route.request;

/**
 * What routing looks at in a request, whatever protocol brought it: ranges of one array of octets, which hold until the
 * next request is read.
 */
public interface RoutedRequest {

    byte[] bytes();

    int methodStart();

    int methodEnd();

    /** The host's name without its port; an empty range if the request names none. */
    int hostStart();

    int hostEnd();

    /** The end of the host with its port, if it has one. */
    int authorityEnd();

    /** The target's path as sent, which a query may follow; an empty path stands for {@code /}. */
    int pathStart();

    /** The end of the path and query. */
    int pathEnd();

    /**
     * Finds a header line.
     *
     * @param lowerCaseName the header's name
     * @param from the first line to look at; 0 for all
     * @return the number of the line, or -1
     */
    int headerLine(byte[] lowerCaseName, int from);

    /** The value of a line without blanks around it. */
    int headerStart(int line);

    int headerEnd(int line);
}
