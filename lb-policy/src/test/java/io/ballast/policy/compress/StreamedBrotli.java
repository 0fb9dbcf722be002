package io.ballast.policy.compress;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Decodes Brotli. Unlike the streams of the library, returns the decoded bytes before it waits for more input. */
final class StreamedBrotli extends InputStream {

    private final InputStream body;
    private final DecoderJNI.Wrapper decoder = new DecoderJNI.Wrapper(16 * 1024);
    private final byte[] input = new byte[16 * 1024];
    private ByteBuffer output = ByteBuffer.allocate(0);

    StreamedBrotli(InputStream body) throws IOException {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0; // at its end, InputStream.readNBytes asks for 0 bytes
        }
        while (!output.hasRemaining()) {
            if (decoder.hasOutput()) {
                output = decoder.pull();
            } else if (decoder.getStatus() == DecoderJNI.Status.DONE) {
                return -1;
            } else {
                readInput();
            }
        }
        int count = Math.min(length, output.remaining());
        output.get(target, from, count);
        return count;
    }

    private void readInput() throws IOException {
        switch (decoder.getStatus()) {
            case OK -> decoder.push(0);
            case NEEDS_MORE_INPUT -> {
                int count = body.read(input, 0, input.length);
                if (count < 0) {
                    throw new EOFException("the body has no end");
                }
                decoder.getInputBuffer().clear();
                decoder.getInputBuffer().put(input, 0, count);
                decoder.push(count);
            }
            default -> throw new IOException("not Brotli: " + decoder.getStatus());
        }
    }

    @Override
    public void close() {
        decoder.destroy();
    }
}
