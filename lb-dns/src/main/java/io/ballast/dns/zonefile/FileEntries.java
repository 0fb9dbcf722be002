package io.ballast.dns.zonefile;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Interprets the entries of one file: directives and records. Origin, owner and TTL of an included file do
 * not affect the including file.
 *
 * <p>Thread safety: confined to one thread.
 */
final class FileEntries {

    static final long NO_TTL = TtlText.NONE;

    private static final int FIRST_QUESTION_TYPE = 128;
    private static final int LAST_QUESTION_TYPE = 255;

    private final ZoneFileReader zoneReader;
    private final Path file;
    private final @Nullable ZoneFilePosition includedAt;
    private final ZoneFileEntry entry = new ZoneFileEntry();
    private final ZoneFileEntry generated = new ZoneFileEntry();
    private Name origin;
    private @Nullable Name owner;
    /** The owner as written in the file; cached because most entries repeat it. */
    private String ownerText = "";
    /** The value of {@code $TTL}, or {@link #NO_TTL}. */
    private long defaultTtl;
    /** The TTL of the previous record. */
    private long lastTtl = NO_TTL;

    /**
     * @param includedAt position of the include directive; null for the zone's own file
     * @param ttl TTL of records without a TTL, or {@link #NO_TTL}
     */
    FileEntries(ZoneFileReader zone, Path file, @Nullable ZoneFilePosition includedAt, Name origin, long ttl) {
        this.zoneReader = zone;
        this.file = file;
        this.includedAt = includedAt;
        this.origin = origin;
        this.defaultTtl = ttl;
    }

    /** Reads all entries. */
    void read(InputStream in) throws IOException {
        EntryReader reader = new EntryReader(in);
        boolean more = true;
        while (more && !zoneReader.problems().isFull()) {
            try {
                more = reader.read(entry);
                if (more) {
                    readEntry();
                }
            } catch (MalformedEntryException e) {
                zoneReader.problems().error(place(e.line(), e.column()), e.text());
            }
        }
    }

    private void readEntry() throws MalformedEntryException {
        if (entry.isOwnerOmitted() || entry.isQuoted(0) || !entry.text(0).startsWith("$")) {
            readRecord(entry);
            return;
        }
        switch (entry.text(0).toUpperCase(Locale.ROOT)) {
            case "$ORIGIN" -> {
                origin = name(entry, 1, "a domain name");
                ownerText = "";
                expectEnd(2);
            }
            case "$TTL" -> {
                defaultTtl = ttl(entry, 1);
                expectEnd(2);
            }
            case "$INCLUDE" -> include();
            case "$GENERATE" -> generate();
            default ->
                throw new MalformedEntryException(
                        entry,
                        0,
                        "unknown directive '" + entry.abbreviatedText(0)
                                + "' (expected: $ORIGIN, $TTL, $INCLUDE or $GENERATE; a name that begins with $ is"
                                + " written \\$)");
        }
    }

    private void expectEnd(int word) throws MalformedEntryException {
        if (word < entry.words()) {
            throw new MalformedEntryException(
                    entry,
                    word,
                    "'" + entry.abbreviatedText(word) + "' after " + entry.abbreviatedText(0)
                            + " (expected: the end of the line)");
        }
    }

    private void include() throws MalformedEntryException {
        String path = word(entry, 1, "a file");
        Name inside = entry.words() > 2 ? name(entry, 2, "a domain name") : origin;
        expectEnd(3);
        Path included;
        try {
            included = file.resolveSibling(path);
        } catch (InvalidPathException e) {
            throw new MalformedEntryException(
                    entry, 1, "$INCLUDE: '" + entry.abbreviatedText(1) + "' (expected: a path)");
        }
        String refusal = zoneReader.include(included, place(entry.line(1), entry.column(1)), inside, defaultTtl);
        if (refusal != null) {
            throw new MalformedEntryException(entry, 1, "$INCLUDE: " + refusal);
        }
    }

    private void generate() throws MalformedEntryException {
        GenerateDirective generation = GenerateDirective.of(entry);
        if (entry.words() < 5) {
            throw new MalformedEntryException(
                    entry, entry.words(), "$GENERATE: the end of the line (expected: an owner, a type and data)");
        }
        if (!zoneReader.reserveGenerated(generation.count())) {
            throw new MalformedEntryException(
                    entry,
                    1,
                    "$GENERATE: " + generation.count() + " records (expected: at most " + ZoneFileReader.MAX_GENERATED
                            + " generated in a zone)");
        }
        for (long number = generation.first(); number <= generation.last(); number += generation.step()) {
            generation.write(entry, number, generated);
            readRecord(generated);
        }
    }

    private void readRecord(ZoneFileEntry words) throws MalformedEntryException {
        Name name = owner(words);
        owner = name;
        long ttl = NO_TTL;
        boolean classSeen = false;
        int at = words.isOwnerOmitted() ? 0 : 1;
        for (; at < words.words() && !words.isQuoted(at); at++) {
            String text = words.text(at);
            if (PlainRecords.type(text) >= 0) {
                break;
            }
            if (!classSeen && DClass.value(text) >= 0) {
                expectInternet(words, at, text);
                classSeen = true;
            } else if (ttl == NO_TTL && TtlText.seconds(text) != NO_TTL) {
                ttl = ttl(words, at);
            } else {
                break;
            }
        }
        int type = type(words, at);
        if (!name.subdomain(zoneReader.apex())) {
            throw new MalformedEntryException(
                    words, 0, name + ": outside the zone (expected: a name in " + zoneReader.apex() + ")");
        }
        Record found = readWithTtl(name, type, ttl, words, at + 1);
        zoneReader.passRecord(found, place(words.line(0), words.column(0)));
    }

    private Record readWithTtl(Name name, int type, long ttl, ZoneFileEntry words, int data)
            throws MalformedEntryException {
        long known = ttl;
        if (known == NO_TTL) {
            known = defaultTtl == NO_TTL ? lastTtl : defaultTtl;
        }
        if (known == NO_TTL && type != Type.SOA) {
            throw new MalformedEntryException(
                    words, 0, "no TTL (expected: a TTL in this record, in a previous record, or in a $TTL directive)");
        }
        Record found = read(name, type, Math.max(known, 0), words, data);
        if (known == NO_TTL && found instanceof SOARecord soa) {
            // If the SOA record has no TTL, its minimum field is the TTL of all records (RFC 1035).
            defaultTtl = Math.min(soa.getMinimum(), TtlText.MAX_SECONDS);
            return read(name, type, defaultTtl, words, data);
        }
        lastTtl = known;
        return found;
    }

    private Record read(Name name, int type, long ttl, ZoneFileEntry words, int data) throws MalformedEntryException {
        Record plain = PlainRecords.read(name, type, ttl, words, data, origin);
        return plain == null ? zoneReader.data().read(name, type, ttl, words, data, origin) : plain;
    }

    private Name owner(ZoneFileEntry words) throws MalformedEntryException {
        if (words.isOwnerOmitted()) {
            if (owner == null) {
                throw new MalformedEntryException(
                        words, 0, "no owner (expected: a name at the beginning of the first record's line)");
            }
            return owner;
        }
        String text = words.text(0);
        if (owner != null && text.equals(ownerText)) {
            return owner;
        }
        Name name = name(words, 0, "a domain name");
        ownerText = text;
        return name;
    }

    private static void expectInternet(ZoneFileEntry words, int at, String text) throws MalformedEntryException {
        if (DClass.value(text) != DClass.IN) {
            throw new MalformedEntryException(words, at, "class " + text + " (expected: IN)");
        }
    }

    private static int type(ZoneFileEntry words, int at) throws MalformedEntryException {
        String text = word(words, at, "a type");
        int plain = PlainRecords.type(text);
        if (plain >= 0) {
            return plain;
        }
        int type = Type.value(text);
        if (type < 0) {
            throw new MalformedEntryException(
                    words, at, "unknown type '" + words.abbreviatedText(at) + "' (expected: A, MX, TYPE123, …)");
        }
        if (type == 0 || type == Type.OPT || (type >= FIRST_QUESTION_TYPE && type <= LAST_QUESTION_TYPE)) {
            throw new MalformedEntryException(words, at, "type " + text + " (expected: a type of data records)");
        }
        return type;
    }

    private long ttl(ZoneFileEntry words, int at) throws MalformedEntryException {
        long seconds = TtlText.seconds(word(words, at, "a TTL"));
        if (seconds == NO_TTL) {
            throw new MalformedEntryException(
                    words, at, "'" + words.abbreviatedText(at) + "' (expected: a TTL such as 300 or 1h30m)");
        }
        if (seconds > TtlText.MAX_SECONDS) {
            zoneReader
                    .problems()
                    .warning(
                            place(words.line(at), words.column(at)),
                            "TTL " + words.abbreviatedText(at) + " is served as " + TtlText.MAX_SECONDS
                                    + " (expected: at most 2^31 - 1 s, RFC 2181 section 8)");
            return TtlText.MAX_SECONDS;
        }
        return seconds;
    }

    private Name name(ZoneFileEntry words, int at, String expected) throws MalformedEntryException {
        try {
            return Name.fromString(word(words, at, expected), origin);
        } catch (TextParseException e) {
            throw new MalformedEntryException(words, at, ErrorText.of(e) + " (expected: a domain name)");
        }
    }

    private static String word(ZoneFileEntry words, int at, String expected) throws MalformedEntryException {
        if (at >= words.words()) {
            throw new MalformedEntryException(words, at, "the end of the line (expected: " + expected + ")");
        }
        return words.text(at);
    }

    private ZoneFilePosition place(int line, int column) {
        return new ZoneFilePosition(file, line, column, includedAt);
    }
}
