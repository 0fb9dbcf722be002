package io.ballast.server.demo;

import java.io.IOException;

/**
 * A port of the demonstration.
 *
 * @param number the port; 0 for any port
 * @param exact whether only this port is allowed; otherwise another port is chosen if this one is in use
 */
public record DemoPort(int number, boolean exact) {

    /**
     * Returns the port to use. An exact port is returned without a check. Any other port is returned if it is
     * free, and is otherwise replaced by another free port.
     */
    public int findFree() throws IOException {
        return exact && number != 0 ? number : FreePorts.findFree(number);
    }
}
