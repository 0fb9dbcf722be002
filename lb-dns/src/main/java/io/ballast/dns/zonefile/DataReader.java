package io.ballast.dns.zonefile;

import io.ballast.core.ErrorText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Tokenizer;
import org.xbill.DNS.Type;
import org.xbill.DNS.WireParseException;

/**
 * Parses RDATA with dnsjava, which knows the record types. One dnsjava tokenizer reads a stream for all
 * records, because creating a tokenizer for each record costs more than parsing. The stream position
 * identifies an invalid word.
 *
 * <p>Thread safety: confined to one thread.
 */
final class DataReader {

    /** The position that dnsjava's tokenizer puts at the beginning of error messages. */
    private static final Pattern PLACE = Pattern.compile("^<none>:\\d+: ");

    private static final String EXPECTED = "expected ";
    private static final String TRAILING = "unexpected tokens at end of record";

    private final Words words = new Words();
    private Tokenizer tokenizer = new Tokenizer(words);

    /**
     * Returns the record whose data begins with the word {@code first} of the entry.
     *
     * @throws MalformedEntryException if the words are not valid data of the type
     */
    Record read(Name owner, int type, long ttl, ZoneFileEntry entry, int first, Name origin)
            throws MalformedEntryException {
        words.fill(entry, first);
        try {
            Record record = Record.fromString(owner, type, DClass.IN, ttl, tokenizer, origin);
            if (words.isGeneric()) {
                tokenizer = new Tokenizer(words); // generic notation (RFC 3597) leaves the line end in the tokenizer
            }
            return record;
        } catch (IOException | RuntimeException e) {
            String text = PLACE.matcher(ErrorText.of(e)).replaceFirst("");
            int word = words.currentWord(first);
            if (word == entry.words() && !text.startsWith(EXPECTED)) {
                word = first; // the error concerns the data as a whole
            }
            tokenizer = new Tokenizer(words);
            throw new MalformedEntryException(
                    entry, word, Type.string(type) + " record: " + message(e, text, entry, word));
        }
    }

    private static String message(Exception e, String text, ZoneFileEntry entry, int word) {
        String found = word < entry.words() ? "'" + entry.abbreviatedText(word) + "'" : "the end of the line";
        if (text.startsWith(TRAILING)) {
            return found + " after its data (expected: the end of the line)";
        }
        if (text.startsWith(EXPECTED)) {
            return found + " (expected: "
                    + text.substring(EXPECTED.length()).replace("EOL or EOF", "the end of the line") + ")";
        }
        if (e instanceof WireParseException) {
            return "invalid length or format of the data (" + text + ")";
        }
        return text.isEmpty() ? found : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    /**
     * The words of one entry as a stream, separated by blanks and ended by a line feed, with bytes above ASCII escaped.
     */
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // only one thread reads this stream
    private static final class Words extends BufferedInputStream {

        private byte[] text = new byte[1024];
        private int length;
        private int position;
        /** The offset in {@code text} at which each word starts. */
        private int[] starts = new int[16];

        private int words;

        Words() {
            super(InputStream.nullInputStream(), 1);
        }

        void fill(ZoneFileEntry entry, int first) {
            length = 0;
            position = 0;
            words = 0;
            for (int word = first; word < entry.words(); word++) {
                begin();
                boolean quoted = entry.isQuoted(word);
                if (quoted) {
                    add('"');
                }
                for (int i = entry.start(word); i < entry.end(word); i++) {
                    addEscaped(entry.byteAt(i));
                }
                if (quoted) {
                    add('"');
                }
                add(' ');
            }
            add('\n');
        }

        /** Returns whether the data is in the generic notation of RFC 3597. */
        boolean isGeneric() {
            return length >= 2 && text[0] == '\\' && text[1] == '#';
        }

        private void begin() {
            if (words == starts.length) {
                starts = Arrays.copyOf(starts, 2 * words);
            }
            starts[words++] = length;
        }

        /** Escapes a byte, because dnsjava would encode it in UTF-8. */
        private void addEscaped(int b) {
            if (b < 0x80) {
                add(b);
                return;
            }
            // A byte after a backslash is already literal.
            if (length == 0 || !isEscape(length - 1)) {
                add('\\');
            }
            add('0' + b / 100);
            add('0' + b / 10 % 10);
            add('0' + b % 10);
        }

        /** Returns whether the byte is an unescaped backslash. */
        private boolean isEscape(int index) {
            int backslashes = 0;
            while (index - backslashes >= 0 && text[index - backslashes] == '\\') {
                backslashes++;
            }
            return backslashes % 2 == 1;
        }

        private void add(int b) {
            if (length == text.length) {
                text = Arrays.copyOf(text, 2 * length);
            }
            text[length++] = (byte) b;
        }

        /** Returns the index of the word that was read last; reading a word also consumes the byte after it. */
        int currentWord(int first) {
            int word = 0;
            while (word + 1 < words && starts[word + 1] < position) {
                word++;
            }
            return position >= length ? first + words : first + word;
        }

        @Override
        public int read() {
            return position < length ? text[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int max) {
            if (position == length) {
                return -1;
            }
            int copied = Math.min(max, length - position);
            System.arraycopy(text, position, target, offset, copied);
            position += copied;
            return copied;
        }

        @Override
        public int available() {
            return length - position;
        }

        @Override
        public void close() {}
    }
}
