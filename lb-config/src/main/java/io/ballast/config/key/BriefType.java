package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A value with a short form in addition to its full form.
 *
 * @param brief reads scalars; also reads mappings if it has a shape
 * @param full reads mappings and lists
 * @param printsBrief selects the values that are printed in the short form
 */
public record BriefType<T>(Type<T> brief, Type<T> full, Predicate<T> printsBrief) implements Type<T> {

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        boolean isBrief = node instanceof Node.Scalar
                || (node instanceof Node.Mapping && !brief.shapes().isEmpty());
        return (isBrief ? brief : full).read(node, reading);
    }

    @Override
    public Object print(T value) {
        return (printsBrief.test(value) ? brief : full).print(value);
    }

    @Override
    public Map<String, Object> schema() {
        return JsonSchema.anyOf(List.of(brief.schema(), full.schema()));
    }

    @Override
    public String label() {
        return brief.label() + " or " + full.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return Stream.concat(brief.shapes().stream(), full.shapes().stream()).toList();
    }
}
