package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Logs in to MySQL or MariaDB without a password and ends the session with {@code COM_QUIT} (<a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html">connection
 * phase</a>). The account must exist. Otherwise, the server logs each failed check, and counts it towards
 * {@code max_connect_errors}. When that limit is reached, the server blocks the address of the load balancer.
 */
final class MysqlCheck extends ServiceCheck {

    private static final int HEAD = 4;
    private static final int PROTOCOL = 10;
    private static final int OK = 0x00;
    private static final int AUTH_MORE_DATA = 0x01;
    private static final int FAST_AUTH_SUCCESS = 0x03;
    private static final int AUTH_SWITCH_REQUEST = 0xfe;
    private static final int ERROR = 0xff;
    private static final int MAX_SWITCHES = 4;

    /**
     * Bytes between the server version and the low half of the capabilities: thread number, scramble, a zero
     * byte.
     */
    private static final int BEFORE_CAPABILITIES = 4 + 8 + 1;

    /**
     * Bytes between the high half of the capabilities and the second part of the scramble: the scramble's length,
     * reserved bytes.
     */
    private static final int BEFORE_SCRAMBLE = 1 + 10;

    private static final int FIRST_SCRAMBLE = 8;
    private static final int MIN_SECOND_SCRAMBLE = 13;

    private static final int LONG_PASSWORD = 1;
    private static final int PROTOCOL_41 = 1 << 9;
    private static final int SSL = 1 << 11;
    private static final int TRANSACTIONS = 1 << 13;
    private static final int SECURE_CONNECTION = 1 << 15;
    private static final int PLUGIN_AUTH = 1 << 19;
    private static final int CLIENT_CAPABILITIES =
            LONG_PASSWORD | PROTOCOL_41 | TRANSACTIONS | SECURE_CONNECTION | PLUGIN_AUTH;

    private static final int MAX_PACKET = 1 << 24;
    private static final int UTF8 = 33;
    private static final int RESERVED = 23;
    private static final int COM_QUIT = 1;
    private static final String SHA2 = "caching_sha2_password";
    private static final String NOT_MYSQL = "not a MySQL greeting";
    private static final String PASSWORD_NEEDED = "the account requires a password, or a plugin that needs one";

    private final HealthCheck.Mysql check;
    private final @Nullable TlsStart tls;
    private boolean greeted;
    private int switches;
    /** The sequence number of our next packet. */
    private int sequence;

    private MysqlCheck(Channel channel, HealthCheck.Mysql check, @Nullable TlsStart tls, FirstResult verdict) {
        super(channel, verdict);
        this.check = check;
        this.tls = tls;
    }

    /** @param tls starts TLS on the connection; null for a session without TLS */
    static void run(Channel channel, HealthCheck.Mysql mysql, @Nullable TlsStart tls, FirstResult verdict) {
        new MysqlCheck(channel, mysql, tls, verdict).begin();
    }

    @Override
    void read(ByteBuf received) {
        if (received.readableBytes() < HEAD) {
            return;
        }
        int length = received.getUnsignedMediumLE(received.readerIndex());
        if (length == 0 || length > MAX_RECEIVED) {
            failed(greeted ? "not a MySQL answer" : NOT_MYSQL);
        } else if (received.readableBytes() >= HEAD + length) {
            sequence = received.getUnsignedByte(received.readerIndex() + HEAD - 1) + 1;
            received.skipBytes(HEAD);
            ByteBuf packet = received.readSlice(length);
            if (!greeted && received.isReadable()) {
                // The server must not send more data before our login; an attacker may have injected the data before
                // TLS.
                failed(NOT_MYSQL);
            } else {
                packet(packet);
            }
        }
    }

    private void packet(ByteBuf packet) {
        int kind = packet.readUnsignedByte();
        if (kind == ERROR) {
            failed(error(packet));
        } else if (!greeted) {
            greeted = true;
            greeting(kind, packet);
        } else if (kind == OK) {
            passed("logged in", quit());
        } else if (kind == AUTH_SWITCH_REQUEST && packet.isReadable() && ++switches <= MAX_SWITCHES) {
            String plugin = text(packet);
            send(packet(plugin.equals(SHA2) ? new byte[1] : new byte[0]));
        } else if (kind != AUTH_MORE_DATA || !packet.isReadable() || packet.readByte() != FAST_AUTH_SUCCESS) {
            failed(PASSWORD_NEEDED);
        }
    }

    private void greeting(int protocol, ByteBuf packet) {
        int version = packet.bytesBefore((byte) 0);
        if (protocol != PROTOCOL || version < 0) {
            failed(NOT_MYSQL);
            return;
        }
        packet.skipBytes(version + 1);
        if (packet.readableBytes() < BEFORE_CAPABILITIES + Short.BYTES) {
            failed(NOT_MYSQL);
            return;
        }
        int capabilities = packet.skipBytes(BEFORE_CAPABILITIES).readUnsignedShortLE();
        TlsStart start = tls;
        String plugin = plugin(packet, capabilities);
        if (start == null) {
            logIn(plugin);
        } else if ((capabilities & SSL) == 0) {
            failed("the backend does not support TLS");
        } else {
            send(packet(loginHead(CLIENT_CAPABILITIES | SSL)));
            sequence++;
            start.begin(() -> logIn(plugin));
        }
    }

    /** The server's default authentication plugin; empty if it names none. */
    private static String plugin(ByteBuf packet, int lowCapabilities) {
        if (packet.readableBytes() < 1 + 2 + 2 + BEFORE_SCRAMBLE) {
            return "";
        }
        packet.skipBytes(1 + 2); // skips the character set and the status
        int capabilities = lowCapabilities | packet.readUnsignedShortLE() << Short.SIZE;
        int scramble = packet.getUnsignedByte(packet.readerIndex());
        int skipped = BEFORE_SCRAMBLE + Math.max(MIN_SECOND_SCRAMBLE, scramble - FIRST_SCRAMBLE);
        if ((capabilities & PLUGIN_AUTH) == 0 || packet.readableBytes() < skipped) {
            return "";
        }
        packet.skipBytes(skipped);
        return text(packet);
    }

    private void logIn(String plugin) {
        int capabilities = tls == null ? CLIENT_CAPABILITIES : CLIENT_CAPABILITIES | SSL;
        ByteBuf login = buffer();
        login.writeMediumLE(0).writeByte(sequence);
        login.writeBytes(loginHead(capabilities));
        writeText(login, check.user());
        login.writeByte(0); // the length of the password's hash; 0, because there is no password
        writeText(login, plugin.isEmpty() ? "mysql_native_password" : plugin);
        login.setMediumLE(0, login.readableBytes() - HEAD);
        send(login);
    }

    /** Creates the beginning of a login packet; sent alone, it requests TLS. */
    private static byte[] loginHead(int capabilities) {
        byte[] head = new byte[Integer.BYTES + Integer.BYTES + 1 + RESERVED];
        ByteBuf buffer = Unpooled.wrappedBuffer(head).writerIndex(0);
        buffer.writeIntLE(capabilities).writeIntLE(MAX_PACKET).writeByte(UTF8);
        return head;
    }

    private ByteBuf packet(byte[] body) {
        return buffer().writeMediumLE(body.length).writeByte(sequence).writeBytes(body);
    }

    private ByteBuf quit() {
        return buffer().writeMediumLE(1).writeByte(0).writeByte(COM_QUIT);
    }

    private static void writeText(ByteBuf target, String text) {
        target.writeCharSequence(text, StandardCharsets.US_ASCII);
        target.writeByte(0);
    }

    /** Reads a string that ends with a zero byte or at the end of the packet. */
    private static String text(ByteBuf packet) {
        int length = packet.bytesBefore((byte) 0);
        return packet.readCharSequence(length < 0 ? packet.readableBytes() : length, StandardCharsets.US_ASCII)
                .toString();
    }

    /** Returns the text and number of an error. The number may be followed by {@code #} and an SQL state. */
    private static String error(ByteBuf packet) {
        if (packet.readableBytes() < Short.BYTES) {
            return NOT_MYSQL;
        }
        int number = packet.readUnsignedShortLE();
        String text = packet.toString(StandardCharsets.UTF_8);
        return (text.startsWith("#") && text.length() > 6 ? text.substring(6) : text) + " (" + number + ')';
    }
}
