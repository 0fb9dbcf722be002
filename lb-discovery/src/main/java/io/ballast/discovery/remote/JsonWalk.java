package io.ballast.discovery.remote;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads a JSON text as a stream: the caller reads the fields that it knows, and all other fields are skipped.
 * {@code null} is read as an empty object, array or text. Confined to one thread.
 */
public final class JsonWalk implements AutoCloseable {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonParser parser;

    /** Reads the value of a field, or skips it. */
    @FunctionalInterface
    public interface FieldReader {
        void read(String field) throws IOException;
    }

    /** Reads an item of an array, or skips it. */
    @FunctionalInterface
    public interface ItemReader {
        void read() throws IOException;
    }

    private JsonWalk(JsonParser parser) {
        this.parser = parser;
    }

    /** Returns a parser that is positioned at the root value of {@code text}. */
    public static JsonWalk of(byte[] text) throws IOException {
        JsonParser parser = FACTORY.createParser(text);
        if (parser.nextToken() == null) {
            throw new JsonParseException(parser, "the document is empty");
        }
        return new JsonWalk(parser);
    }

    /**
     * Reads an object: calls {@code reader} with each field name. The reader may read the value from this parser.
     */
    public void object(FieldReader reader) throws IOException {
        if (isNull()) {
            return;
        }
        expect(JsonToken.START_OBJECT, "an object");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            reader.read(field);
            parser.skipChildren();
        }
    }

    /** Reads an array; {@code reader} reads each item. */
    public void array(ItemReader reader) throws IOException {
        if (isNull()) {
            return;
        }
        expect(JsonToken.START_ARRAY, "an array");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            reader.read();
            parser.skipChildren();
        }
    }

    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Returns the value of a string, number or boolean as text. */
    public String text() throws IOException {
        if (isNull()) {
            return "";
        }
        if (!parser.currentToken().isScalarValue()) {
            throw new JsonParseException(parser, "expected a string");
        }
        return parser.getText();
    }

    /** Returns an integer, or 0 if the value is null. */
    public int number() throws IOException {
        if (isNull()) {
            return 0;
        }
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return parser.getIntValue();
    }

    /** Returns a boolean, or the default if it is missing. */
    public boolean flag(boolean absent) throws IOException {
        if (isNull()) {
            return absent;
        }
        return parser.getBooleanValue();
    }

    private void expect(JsonToken token, String expectation) throws IOException {
        if (parser.currentToken() != token) {
            throw new JsonParseException(parser, "expected " + expectation);
        }
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
