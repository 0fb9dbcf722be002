package io.ballast.server.demo;

import java.io.IOException;

/**
 * A port of the demonstration.
 *
 * @param number 0 for any
 * @param exact whether only this port is allowed; otherwise another port is chosen if this one is in use
 */
public record DemoPort(int number, boolean exact) {

    /** Returns the configured port if it is exact; otherwise returns it if it is free, or another free port. */
    public int findFree() throws IOException {
        return exact && number != 0 ? number : FreePorts.findFree(number);
    }
}
