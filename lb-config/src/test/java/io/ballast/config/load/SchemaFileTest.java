package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.ballast.config.key.Shape;
import io.ballast.config.longform.LongForm;
import io.ballast.config.shorthand.ShortForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaFileTest {

    private static final Path FILE = ConfigFiles.EXAMPLES.resolve("ballast.schema.json");

    static List<Path> examples() {
        return ConfigFiles.examples();
    }

    static List<Path> good() {
        return ConfigFiles.in(ConfigFiles.GOLDEN.resolve("good"));
    }

    @Test
    void committedSchemaMatchesKeys() throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));

        String text = new ObjectMapper().writer(printer).writeValueAsString(schema());

        GeneratedFile.of(FILE).assertIs(text + "\n");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void examplesMatchSchema(Path example) throws IOException {
        assertThat(validate(ConfigFiles.text(example))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void longFormOfValidFilesMatchesSchema(Path file) throws Exception {
        assertThat(validate(ConfigFiles.loader().load(file).explain())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown-key",
                "unknown-key-short",
                "wrong-type",
                "out-of-range",
                "missing-keys",
                "missing-keys-short",
                "durations",
                "sizes",
                "protocols",
                "strategies",
                "http-texts",
                "dns-names",
                "geo",
                "dns-transports",
                "short-twice",
                "mixed-forms",
                "not-a-mapping"
            })
    void invalidFileViolatesSchema(String name) throws IOException {
        assertThat(validate(ConfigFiles.text(ConfigFiles.GOLDEN.resolve("bad/" + name + ".yaml"))))
                .isNotEmpty();
    }

    private static Set<ValidationMessage> validate(String yaml) throws IOException {
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(new ObjectMapper().<JsonNode>valueToTree(schema()));
        return schema.validate(new YAMLMapper().readTree(yaml));
    }

    private static Map<String, Object> schema() {
        Map<String, Object> definitions = new LinkedHashMap<>();
        for (Shape<?> form : List.of(LongForm.SHAPE, ShortForm.SHAPE)) {
            form.shapes().forEach(shape -> definitions.put(shape.name(), shape.definition()));
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Ballast configuration");
        schema.put("anyOf", List.of(LongForm.SHAPE.schema(), ShortForm.SHAPE.schema()));
        schema.put("$defs", definitions);
        return schema;
    }
}
