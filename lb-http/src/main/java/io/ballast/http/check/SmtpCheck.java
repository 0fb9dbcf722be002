package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;

/**
 * Waits for the greeting of a mail server, then sends {@code EHLO} (or {@code HELO} if the server rejects
 * {@code EHLO}), and finally {@code QUIT} (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5321#section-4.1.1.1">RFC 5321 section 4.1.1.1</a>).
 */
final class SmtpCheck extends ServiceCheck {

    private static final String READY = "220";
    private static final String DONE = "250";
    private static final int CODE = 3;

    private enum Awaited {
        GREETING,
        EHLO,
        HELO
    }

    private final String host;
    private Awaited expectedReply = Awaited.GREETING;

    private SmtpCheck(Channel channel, String host, FirstResult verdict) {
        super(channel, verdict);
        this.host = host;
    }

    static void run(Channel channel, HealthCheck.Smtp check, FirstResult verdict) {
        new SmtpCheck(channel, check.host(), verdict).begin();
    }

    @Override
    void read(ByteBuf received) {
        String line = CheckLineReader.next(received);
        if (line == null) {
            int beginning = Math.min(CODE + 1, received.readableBytes());
            if (!isReply(received.toString(received.readerIndex(), beginning, StandardCharsets.ISO_8859_1))) {
                failed("not an SMTP reply");
            }
            return;
        }
        if (line.length() < CODE || !isReply(line)) {
            failed("not an SMTP reply");
        } else if (line.length() == CODE || line.charAt(CODE) == ' ') {
            reply(line.substring(0, CODE), line);
        }
    }

    /** Whether a text can be the beginning of a reply line: three digits, then a space or a hyphen. */
    private static boolean isReply(String beginning) {
        for (int i = 0; i < beginning.length() && i < CODE; i++) {
            if (beginning.charAt(i) < '0' || beginning.charAt(i) > '9') {
                return false;
            }
        }
        return beginning.length() <= CODE || beginning.charAt(CODE) == ' ' || beginning.charAt(CODE) == '-';
    }

    /** Handles the last line of a reply. */
    private void reply(String code, String line) {
        if (expectedReply == Awaited.EHLO && code.startsWith("5")) {
            sendCommand(Awaited.HELO);
        } else if (!code.equals(expectedReply == Awaited.GREETING ? READY : DONE)) {
            failed(line);
        } else if (expectedReply == Awaited.GREETING) {
            sendCommand(Awaited.EHLO);
        } else {
            passed(line, line("QUIT"));
        }
    }

    private void sendCommand(Awaited command) {
        expectedReply = command;
        send(line(command + " " + host));
    }

    private ByteBuf line(String text) {
        ByteBuf line = buffer();
        line.writeCharSequence(text + "\r\n", StandardCharsets.US_ASCII);
        return line;
    }
}
