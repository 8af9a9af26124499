package io.superstep.json;

import io.superstep.value.NumberBounds;
import java.util.List;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * Jackson as this package needs it: driven by declared types in both directions, exact, and strict.
 */
final class JsonMapping {

  /**
   * A frozen value is nested 500 levels deep at most, and stands in a document. Reading one level
   * takes Jackson about a kilobyte of stack, and a thread has a megabyte.
   */
  static final int MAX_DEPTH = 520;

  /** A number within {@link NumberBounds}, with its sign, its point and its exponent. */
  static final int MAX_NUMBER_LENGTH = NumberBounds.MAX_DIGITS + 32;

  private JsonMapping() {}

  /** A mapper that knows {@code modules}, which win over what this package brings along. */
  static JsonMapper with(List<JacksonModule> modules) {
    return JsonMapper.builder(factory())
        .polymorphicTypeValidator(new NoClassNames())
        // What is written follows the declared type, as what is read has to.
        .enable(MapperFeature.USE_STATIC_TYPING)
        .enable(MapperFeature.INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        // Values are read from the middle of a document, which checks its end itself.
        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .withCoercionConfigDefaults(
            config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
        .withCoercionConfig(
            LogicalType.Textual,
            config -> config
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
        .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
        .disable(
            DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
            DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
        .addModule(new SchemaModule())
        .addModules(modules)
        .build();
  }

  /**
   * The text is in memory already, so its length bounds that of its parts. Depth needs a limit, as
   * it costs stack, and so do numbers, whose conversion takes time in the square of their length.
   */
  private static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .maxNumberLength(MAX_NUMBER_LENGTH)
            .build())
        .streamWriteConstraints(
            StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
        .build();
  }
}
