package io.ballast.dns.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** Makes queries and parses responses with dnsjava, independently of the tested code. */
public final class Messages {

    private Messages() {}

    public static Name name(String text) {
        try {
            return Name.fromString(text, Name.root);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Parses a line of a zone file. */
    public static Record record(String line) {
        try (Master file =
                new Master(new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)), Name.root, 0)) {
            return file.nextRecord();
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    /** Makes a query with RD and without EDNS, like most resolvers and tools. */
    public static Message query(String name, int type) {
        return Message.newQuery(Record.newRecord(name(name), type, DClass.IN));
    }

    public static Message query(String name, int type, OPTRecord opt) {
        Message query = query(name, type);
        query.addRecord(opt, Section.ADDITIONAL);
        return query;
    }

    public static Message parse(byte[] wire) {
        try {
            return new Message(wire);
        } catch (IOException e) {
            throw new UncheckedIOException("not a DNS message", e);
        }
    }

    /** Returns the data of a section's records, in message order. */
    public static List<String> data(Message message, int section) {
        return message.getSection(section).stream().map(Record::rdataToString).toList();
    }

    /** Returns the addresses of an answer, in message order. */
    public static List<String> answers(Message message) {
        return data(message, Section.ANSWER);
    }

    /** Returns the deterministic parts of a message: flags, code and sorted sections. */
    public static String canonical(Message message) {
        StringBuilder text = new StringBuilder(message.getHeader().toString().replaceAll("id: \\d+", ""));
        for (int section : new int[] {Section.QUESTION, Section.ANSWER, Section.AUTHORITY}) {
            text.append(Section.string(section)).append('\n');
            message.getSection(section).stream()
                    .map(Record::toString)
                    .sorted(Comparator.naturalOrder())
                    .forEach(record -> text.append("  ").append(record).append('\n'));
        }
        return text.toString();
    }

    public static boolean has(Message message, int flag) {
        return message.getHeader().getFlag(flag);
    }

    public static boolean isAuthoritative(Message message) {
        return has(message, Flags.AA);
    }

    public static String typeOf(Message message) {
        return Type.string(message.getQuestion().getType());
    }
}
