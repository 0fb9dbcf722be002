package io.ballast.http.check;

import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;

/**
 * Sends {@code PING} in the <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">Redis
 * serialization protocol</a>. {@code +PONG} is healthy, and so is {@code -NOAUTH}, because the server would
 * answer commands after a login. Any other error, such as {@code -LOADING} or {@code -MASTERDOWN}, is
 * unhealthy.
 */
final class RedisCheck extends ServiceCheck {

    private static final String PING = "*1\r\n$4\r\nPING\r\n";
    private static final String NO_PASSWORD = "-NOAUTH";

    private RedisCheck(Channel channel, FirstResult verdict) {
        super(channel, verdict);
    }

    static void run(Channel channel, FirstResult verdict) {
        RedisCheck check = new RedisCheck(channel, verdict);
        check.begin();
        ByteBuf ping = check.buffer();
        ping.writeCharSequence(PING, StandardCharsets.US_ASCII);
        check.send(ping);
    }

    @Override
    void read(ByteBuf received) {
        char kind = (char) received.getUnsignedByte(received.readerIndex());
        if (kind != '+' && kind != '-') {
            failed("not a Redis answer to PING");
            return;
        }
        String line = CheckLineReader.next(received);
        if (line == null) {
            return;
        }
        if (line.equals("+PONG")) {
            passed("PONG");
        } else if (line.equals(NO_PASSWORD) || line.startsWith(NO_PASSWORD + ' ')) {
            passed("the backend responds, and requires a password");
        } else if (kind == '-') {
            failed(line.substring(1));
        } else {
            failed("unexpected answer to PING: " + line);
        }
    }
}
