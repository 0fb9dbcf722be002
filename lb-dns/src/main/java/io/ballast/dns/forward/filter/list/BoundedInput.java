package io.ballast.dns.forward.filter.list;

import io.ballast.core.RegularFile;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Limits the length of decompressed input, so that a small gzip file cannot fill the memory. */
final class BoundedInput extends FilterInputStream {

    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;

    private final long maxBytes;
    private long read;

    private BoundedInput(InputStream in, long max) {
        super(in);
        this.maxBytes = max;
    }

    /**
     * Opens a file that may be compressed with gzip. At most {@code max} bytes are read, both before and after
     * decompression.
     */
    static InputStream open(Path file, long max) throws IOException {
        BufferedInputStream in = new BufferedInputStream(new BoundedInput(RegularFile.open(file), max));
        try {
            in.mark(2);
            boolean isGzip = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
            in.reset();
            return isGzip ? new BoundedInput(new GZIPInputStream(in), max) : in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        count(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
        int bytesRead = super.read(target, at, length);
        count(Math.max(0, bytesRead));
        return bytesRead;
    }

    private void count(int bytes) throws IOException {
        read += bytes;
        if (read > maxBytes) {
            throw tooLong(maxBytes);
        }
    }

    static IOException tooLong(long max) {
        return new IOException("more than " + max + " bytes");
    }
}
