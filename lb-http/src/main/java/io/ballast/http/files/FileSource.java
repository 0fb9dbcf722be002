package io.ballast.http.files;

import static java.util.Objects.requireNonNull;

import io.ballast.core.ErrorText;
import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file response to one request. Tasks on other threads find, read and close the file, one task at a time. A task
 * reads the next part of the body only when the client has accepted the previous part. A slow client therefore occupies
 * memory for only one part.
 *
 * <p>Event-loop confined, except the methods of tasks.
 */
final class FileSource implements ResponseSource {

    private static final Logger LOG = LoggerFactory.getLogger(FileSource.class);

    private static final String CANCELLED = "cancelled";
    private static final String SHORTER = "the file has become shorter";

    private final FileThreads threads;
    private final FileResponder responder;
    private final FileRequest request;

    private @Nullable ResponseSink sink;
    /** The open file whose remaining bytes must still be sent; null for none. */
    private @Nullable OpenFile file;

    private long position;
    private long rest;
    private boolean begun;
    /** Whether a task is running; while it runs, it owns {@link #file}. */
    private boolean working;
    /** Whether the response has ended or was cancelled; a waiting task then does nothing. */
    private volatile boolean over;

    FileSource(FileThreads threads, FileResponder responder, FileRequest request) {
        this.threads = threads;
        this.responder = responder;
        this.request = request;
    }

    @Override
    public void start(ResponseSink target) {
        sink = target;
        begun = threads.tryBegin();
        if (!begun) {
            send(FileResponder.error(503, target.allocator()));
            return;
        }
        working = true;
        threads.execute(() -> prepare(target));
    }

    @Override
    public void resume() {
        if (file != null && !working && !over && sink().isWritable()) {
            working = true;
            threads.execute(this::read);
        }
    }

    @Override
    public void cancel() {
        finish();
    }

    private ResponseSink sink() {
        return requireNonNull(sink);
    }

    // ---- tasks on other threads

    private void prepare(ResponseSink target) {
        if (over) {
            returnToLoop(() -> failed(CANCELLED), () -> {});
            return;
        }
        try {
            FileAnswer answer = withFirstPiece(responder.answer(request, target.allocator()), target);
            returnToLoop(() -> prepared(answer), () -> release(answer));
        } catch (IOException e) {
            returnToLoop(() -> failed(reason(e)), () -> {});
        } catch (RuntimeException | Error e) {
            LOG.error("msg=\"cannot answer a request for a file\" path=\"{}\"", request.path(), e);
            returnToLoop(() -> failed("unexpected error"), () -> {});
        }
    }

    /** Reads the first part of the body. Closes the file if this is the whole body, or if reading fails. */
    private FileAnswer withFirstPiece(FileAnswer answer, ResponseSink target) throws IOException {
        OpenFile open = answer.file();
        if (open == null) {
            return answer;
        }
        boolean keepsOpen = false;
        try {
            int length = (int) Math.min(answer.rest(), threads.pieceBytes());
            ByteBuf piece = open.read(answer.position(), length, target.allocator());
            if (piece == null) {
                throw new IOException("the file became shorter while it was opened");
            }
            keepsOpen = answer.rest() > length;
            return new FileAnswer(
                    answer.head(), piece, keepsOpen ? open : null, answer.position() + length, answer.rest() - length);
        } finally {
            if (!keepsOpen) {
                close(open);
            }
        }
    }

    private void read() {
        OpenFile open = requireNonNull(file);
        int length = (int) Math.min(rest, threads.pieceBytes());
        try {
            ByteBuf piece = open.read(position, length, sink().allocator());
            boolean isLast = piece != null && length == rest;
            if (isLast) {
                close(open);
            }
            returnToLoop(() -> received(piece, isLast), () -> release(piece, open));
        } catch (IOException e) {
            returnToLoop(() -> failed(reason(e)), () -> close(open));
        } catch (RuntimeException | Error e) {
            LOG.error("msg=\"cannot read a file\" path=\"{}\"", request.path(), e);
            returnToLoop(() -> failed("unexpected error"), () -> close(open));
        }
    }

    private static String reason(IOException failure) {
        return "cannot read the file: " + ErrorText.of(failure);
    }

    /** Runs {@code action} on the event loop, or {@code ifStopped} on this thread if the event loop has stopped. */
    private void returnToLoop(Runnable action, Runnable ifStopped) {
        try {
            sink().eventLoop().execute(action);
        } catch (RejectedExecutionException e) {
            ifStopped.run();
        }
    }

    private static void release(FileAnswer answer) {
        release(answer.first(), answer.file());
    }

    private static void release(@Nullable ByteBuf piece, @Nullable OpenFile open) {
        if (piece != null) {
            piece.release();
        }
        close(open);
    }

    private static void close(@Nullable OpenFile open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("msg=\"cannot close a file\"", e); // the file was only read, so no data is lost
            }
        }
    }

    // ---- the response, on the event loop

    private void prepared(FileAnswer answer) {
        working = false;
        file = answer.file();
        position = answer.position();
        rest = answer.rest();
        if (over) {
            if (answer.first() != null) {
                answer.first().release();
            }
            finish();
            return;
        }
        send(answer);
    }

    private void send(FileAnswer answer) {
        sink().head(answer.head(), answer.head().length);
        if (answer.first() != null) {
            sink().body(answer.first());
        }
        proceed();
    }

    /** @param isLast whether this is the last part of the file, which is then already closed */
    private void received(@Nullable ByteBuf piece, boolean isLast) {
        working = false;
        if (isLast) {
            file = null;
        }
        if (over || piece == null) {
            if (piece != null) {
                piece.release();
            }
            fail(SHORTER);
            return;
        }
        position += piece.readableBytes();
        rest -= piece.readableBytes();
        sink().body(piece);
        proceed();
    }

    private void proceed() {
        if (over) {
            return; // the connection to the client broke
        }
        if (rest == 0) {
            finish();
            sink().end();
        } else {
            resume();
        }
    }

    private void failed(String reason) {
        working = false;
        fail(reason);
    }

    private void fail(String reason) {
        boolean wasOver = over;
        finish();
        if (!wasOver) {
            sink().fail(reason);
        }
    }

    /** Ends the response; closes the file unless a task is using it. */
    private void finish() {
        over = true;
        if (working) {
            return; // finish is called again after the task
        }
        if (!begun) {
            return;
        }
        begun = false;
        OpenFile open = file;
        file = null;
        if (open == null) {
            threads.end();
        } else {
            threads.execute(() -> {
                close(open);
                threads.end();
            });
        }
    }
}
