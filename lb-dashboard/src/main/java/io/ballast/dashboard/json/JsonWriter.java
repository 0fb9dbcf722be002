package io.ballast.dashboard.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Writes one JSON document into a buffer without building a tree. Confined to one thread. */
public final class JsonWriter {

    public static final JsonFactory FACTORY = new JsonFactory();
    private static final double DECIMAL_FACTOR = 1000;

    private final JsonGenerator out;

    public JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    /** Runs {@code document}, which writes one value, and returns the buffer. The caller owns it. */
    public static ByteBuf write(Consumer<JsonWriter> document) {
        ByteBuf buffer = Unpooled.buffer(1024);
        try (OutputStream stream = new ByteBufOutputStream(buffer);
                JsonGenerator generator = FACTORY.createGenerator(stream)) {
            document.accept(new JsonWriter(generator));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to a buffer in memory", e);
        }
        return buffer;
    }

    public void object(Runnable fields) {
        beginObject();
        fields.run();
        endObject();
    }

    /** Begins an object; {@link #endObject} closes it. */
    public void beginObject() {
        perform(out::writeStartObject);
    }

    public void endObject() {
        perform(out::writeEndObject);
    }

    public void object(String name, Runnable fields) {
        perform(() -> out.writeFieldName(name));
        object(fields);
    }

    public void array(Runnable items) {
        perform(out::writeStartArray);
        items.run();
        endArray();
    }

    public void array(String name, Runnable items) {
        beginArray(name);
        items.run();
        endArray();
    }

    /** Begins a field with an array; {@link #endArray} closes it. */
    public void beginArray(String name) {
        perform(() -> out.writeFieldName(name));
        perform(out::writeStartArray);
    }

    public void endArray() {
        perform(out::writeEndArray);
    }

    public void field(String name, String value) {
        perform(() -> out.writeStringField(name, value));
    }

    public void field(String name, long value) {
        perform(() -> out.writeNumberField(name, value));
    }

    public void field(String name, boolean value) {
        perform(() -> out.writeBooleanField(name, value));
    }

    public void field(String name, double value) {
        perform(() -> out.writeFieldName(name));
        value(value);
    }

    public void nullField(String name) {
        perform(() -> out.writeNullField(name));
    }

    public void value(String value) {
        perform(() -> out.writeString(value));
    }

    public void value(boolean value) {
        perform(() -> out.writeBoolean(value));
    }

    public void value(long value) {
        perform(() -> out.writeNumber(value));
    }

    /** Writes a value that is already encoded as JSON. */
    public void raw(String json) {
        perform(() -> out.writeRawValue(json));
    }

    /** Writes a field name; the value must follow. */
    public void name(String name) {
        perform(() -> out.writeFieldName(name));
    }

    /** Writes a number with at most three decimals; null for NaN and infinities. */
    public void value(double value) {
        perform(() -> {
            double rounded = Math.rint(value * DECIMAL_FACTOR) / DECIMAL_FACTOR;
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                out.writeNull();
            } else if (rounded == (long) rounded) {
                out.writeNumber((long) rounded);
            } else {
                out.writeNumber(rounded);
            }
        });
    }

    /** Writes strings, numbers, booleans, and lists and maps of them. */
    public void tree(Object value) {
        if (value instanceof Map<?, ?> map) {
            object(() -> map.forEach((key, each) -> {
                perform(() -> out.writeFieldName(String.valueOf(key)));
                tree(each);
            }));
        } else if (value instanceof List<?> list) {
            array(() -> list.forEach(this::tree));
        } else if (value instanceof Boolean bool) {
            perform(() -> out.writeBoolean(bool));
        } else if (value instanceof Integer || value instanceof Long) {
            value(((Number) value).longValue());
        } else if (value instanceof Number number) {
            value(number.doubleValue());
        } else {
            value(String.valueOf(value));
        }
    }

    private static void perform(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to a buffer in memory", e);
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
