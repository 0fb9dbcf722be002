package io.ballast.dns.querylog.dnstap;

import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RotatedFile;
import io.ballast.dns.config.LogRotation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A dnstap file. An existing file is rotated when the output is opened, since a frame stream has one start
 * and one end.
 */
public final class DnstapFile implements DnstapOutput {

    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int FLUSH_BYTES = 64 * 1024;

    private final LogTarget file;
    private final FrameBuffer buffer = new FrameBuffer();
    private int frames;
    private long lost;
    private long refreshedNanos = System.nanoTime();

    private DnstapFile(LogTarget file) {
        this.file = file;
    }

    /** Opens the file; its directory must exist. */
    public static DnstapFile open(Path path, LogRotation rotation) throws IOException {
        return new DnstapFile(RotatedFile.open(
                path, rotation.sizeBytes(), rotation.keep(), ControlFrame.START.bytes(), ControlFrame.STOP.bytes()));
    }

    @Override
    public boolean offer(byte[] frame, int length) {
        buffer.putBytes(frame, 0, length);
        frames++;
        return true;
    }

    @Override
    public boolean isFull() {
        return buffer.length() >= FLUSH_BYTES;
    }

    @Override
    public void flush(long nowNanos) throws IOException {
        try {
            if (nowNanos - refreshedNanos >= REFRESH_NANOS) {
                refreshedNanos = nowNanos;
                file.refresh();
            }
            if (frames > 0) {
                file.write(buffer.bytes(), buffer.length());
                frames = 0;
            }
        } finally {
            lost += frames;
            frames = 0;
            buffer.clear();
        }
    }

    @Override
    public long lost() {
        return lost;
    }

    @Override
    public void close() throws IOException {
        flush(refreshedNanos);
        file.close();
    }
}
