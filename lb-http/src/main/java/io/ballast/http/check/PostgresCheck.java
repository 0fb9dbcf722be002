package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Starts a PostgreSQL session (<a href="https://www.postgresql.org/docs/current/protocol-flow.html">protocol
 * 3.0</a>) as far as possible without a password. A request for a password counts as healthy. The server does
 * not log a client that then disconnects, as {@code psql} does while it prompts for the password. A session
 * that starts without a password is ended with {@code Terminate}. An error, such as "the database system is
 * starting up", is unhealthy.
 */
final class PostgresCheck extends ServiceCheck {

    private static final int PROTOCOL = 3 << 16;
    private static final int SSL_REQUEST = 80877103;
    private static final int SSL_REQUEST_BYTES = 8;
    private static final int HEAD = 5;
    private static final int LENGTH_BYTES = 4;
    private static final int AUTHENTICATED = 0;
    private static final String NOT_POSTGRES = "not a PostgreSQL answer";

    private final HealthCheck.Postgres check;
    /** Starts TLS on the connection; null if TLS is not used, or if the server has accepted it. */
    private @Nullable TlsStart tls;

    private PostgresCheck(Channel channel, HealthCheck.Postgres check, @Nullable TlsStart tls, FirstResult verdict) {
        super(channel, verdict);
        this.check = check;
        this.tls = tls;
    }

    /** @param tls starts TLS on the connection; null for a session without TLS */
    static void run(Channel channel, HealthCheck.Postgres postgres, @Nullable TlsStart tls, FirstResult verdict) {
        PostgresCheck check = new PostgresCheck(channel, postgres, tls, verdict);
        check.begin();
        if (tls == null) {
            check.startSession();
        } else {
            check.send(check.buffer().writeInt(SSL_REQUEST_BYTES).writeInt(SSL_REQUEST));
        }
    }

    private void startSession() {
        ByteBuf message = buffer();
        message.writeInt(0).writeInt(PROTOCOL);
        parameter(message, "user", check.user());
        parameter(message, "database", check.database());
        parameter(message, "application_name", "ballast-health-check");
        message.writeByte(0);
        message.setInt(0, message.readableBytes());
        send(message);
    }

    private static void parameter(ByteBuf message, String name, String value) {
        message.writeCharSequence(name, StandardCharsets.US_ASCII);
        message.writeByte(0);
        message.writeCharSequence(value, StandardCharsets.US_ASCII);
        message.writeByte(0);
    }

    @Override
    void read(ByteBuf received) {
        TlsStart wanted = tls;
        if (wanted != null && received.getByte(received.readerIndex()) != 'E') {
            readTlsAnswer(received, wanted);
            return;
        }
        if (received.readableBytes() < HEAD) {
            return;
        }
        int start = received.readerIndex();
        int length = received.getInt(start + 1);
        if (length < LENGTH_BYTES || length > MAX_RECEIVED) {
            failed(NOT_POSTGRES);
        } else if (received.readableBytes() > length) {
            received.skipBytes(HEAD);
            message(received.getByte(start), received.readSlice(length - LENGTH_BYTES));
        }
    }

    /**
     * Reads the byte that says whether the server supports TLS. Additional data before the handshake indicates an
     * attack.
     */
    private void readTlsAnswer(ByteBuf received, TlsStart wanted) {
        byte answer = received.readByte();
        if (answer == 'N') {
            failed("the backend does not support TLS");
        } else if (answer != 'S' || received.isReadable()) {
            failed(NOT_POSTGRES);
        } else {
            tls = null;
            wanted.begin(this::startSession);
        }
    }

    private void message(byte type, ByteBuf body) {
        switch (type) {
            case 'R' -> authentication(body);
            case 'E' -> failed(error(body));
            case 'Z' -> passed("ready for queries", buffer().writeByte('X').writeInt(LENGTH_BYTES));
            case 'S', 'K', 'N', 'v' -> {} // ignores parameters, the cancellation key, notices and protocol versions
            default -> failed(NOT_POSTGRES);
        }
    }

    private void authentication(ByteBuf body) {
        if (body.readableBytes() < Integer.BYTES) {
            failed(NOT_POSTGRES);
        } else if (body.readInt() != AUTHENTICATED) {
            passed("the backend responds, and requires a password");
        }
    }

    /** Parses an error into its text and code; each field is a letter and a zero-terminated string. */
    private static String error(ByteBuf body) {
        String code = "";
        String text = "error without a text";
        while (body.isReadable()) {
            byte field = body.readByte();
            int length = body.bytesBefore((byte) 0);
            if (field == 0 || length < 0) {
                break;
            }
            String value = body.readCharSequence(length, StandardCharsets.UTF_8).toString();
            body.skipBytes(1);
            if (field == 'C') {
                code = " (" + value + ')';
            } else if (field == 'M') {
                text = value;
            }
        }
        return text + code;
    }
}
