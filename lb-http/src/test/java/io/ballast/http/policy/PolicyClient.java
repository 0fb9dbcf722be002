package io.ballast.http.policy;

import java.util.List;
import java.util.Locale;

/** A client of one HTTP version. */
public interface PolicyClient extends AutoCloseable {

    /**
     * A response.
     *
     * @param head the header lines
     */
    record Answer(int status, List<String> head, String body) {

        /** Returns the values of a header; {@code name} is in lower case. */
        public List<String> headers(String name) {
            return head.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
                    .map(line -> line.substring(name.length() + 2))
                    .toList();
        }
    }

    /**
     * Sends a request and returns its response.
     *
     * @param headers names and values, alternating
     */
    Answer post(String path, String body, String... headers);

    /** Sends a request with the first half of its body, which has four bytes if it is not empty. */
    void begin(String path, String half);

    /** Sends the second half of the body. */
    void continueBody(String half);

    /** Returns the response of the request that was begun. */
    Answer read();

    @Override
    void close();
}
