package io.ballast.core.log;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes to standard output or standard error. Other code also uses the stream, so this class does not close
 * it.
 */
public record StreamTarget(OutputStream stream) implements LogTarget {

    @Override
    public void write(byte[] bytes, int length) throws IOException {
        stream.write(bytes, 0, length);
        stream.flush();
    }

    @Override
    public void refresh() {}

    @Override
    public void close() {}
}
