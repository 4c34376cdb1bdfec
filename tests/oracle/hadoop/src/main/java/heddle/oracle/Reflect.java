package heddle.oracle;

import java.lang.reflect.Field;

/** Fields of Hadoop's classes that nobody else may see. */
final class Reflect {
  private Reflect() {
  }

  static Field field(Class<?> c, String name) throws ReflectiveOperationException {
    Field f = c.getDeclaredField(name);
    f.setAccessible(true);
    return f;
  }

  static Object get(Class<?> c, String field, Object of) throws ReflectiveOperationException {
    return field(c, field).get(of);
  }

  static void set(Class<?> c, String field, Object of, Object value) throws ReflectiveOperationException {
    field(c, field).set(of, value);
  }
}
