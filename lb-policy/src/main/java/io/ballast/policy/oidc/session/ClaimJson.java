package io.ballast.policy.oidc.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Writes the values that {@link io.ballast.policy.jwt.token.StrictJson} reads. */
public final class ClaimJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ClaimJson() {}

    /** Returns the JSON text of an object in UTF-8. */
    public static byte[] bytes(Map<String, ?> members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            write(members, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                json.writeFieldName(String.valueOf(member.getKey()));
                write(member.getValue(), json);
            }
            json.writeEndObject();
        } else if (value instanceof List<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(item, json);
            }
            json.writeEndArray();
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof BigInteger number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(String.valueOf(value));
        }
    }
}
