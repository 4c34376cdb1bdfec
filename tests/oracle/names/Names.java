import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks up every Hadoop, Slider and Samza class and method that a Rust source names in the real jars: TABLE CLASSPATH. */
class Names {
  /** A list of names in quotes: "Class.method, Other.method". */
  private static final Pattern LIST = Pattern.compile("=>\\s*\"((?:[A-Z]\\w+(?:\\.\\w+)?)(?:, [A-Z]\\w+(?:\\.\\w+)?)*)\"");

  public static void main(String[] args) throws Exception {
    List<URL> urls = new ArrayList<>();
    Map<String, List<String>> classes = new TreeMap<>();
    for (String path : args[1].split(":")) {
      urls.add(Path.of(path).toUri().toURL());
      if (path.endsWith(".jar")) {
        index(path, classes);
      }
    }
    int looked = 0;
    int missing = 0;
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]))) {
      Matcher lists = LIST.matcher(Files.readString(Path.of(args[0])));
      while (lists.find()) {
        for (String name : lists.group(1).split(", ")) {
          looked++;
          String why = missing(name, classes, loader);
          if (why != null) {
            missing++;
            System.out.println(name + ": " + why);
          }
        }
      }
    }
    System.out.println(looked + " names, " + missing + " missing");
    System.exit(missing == 0 && looked > 0 ? 0 : 1);
  }

  /** The classes of a jar by their simple names, those of Hadoop, Slider and Samza alone. */
  private static void index(String path, Map<String, List<String>> classes) throws Exception {
    try (JarFile jar = new JarFile(path)) {
      jar.stream().map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && name.matches("org/apache/(hadoop|slider|samza)/.*"))
          .forEach(name -> {
            String full = name.substring(0, name.length() - ".class".length()).replace('/', '.');
            String simple = full.substring(Math.max(full.lastIndexOf('.'), full.lastIndexOf('$')) + 1);
            classes.computeIfAbsent(simple, none -> new ArrayList<>()).add(full);
          });
    }
  }

  /** Why a name is of nothing; null where it is of something. */
  private static String missing(String name, Map<String, List<String>> classes, ClassLoader loader) throws Exception {
    String[] parts = name.split("\\.");
    List<String> found = classes.get(parts[0]);
    if (found == null) {
      return "no such class";
    }
    if (parts.length == 1) {
      return null;
    }
    for (String full : found) {
      for (Class<?> at = Class.forName(full, false, loader); at != null; at = at.getSuperclass()) {
        for (Method method : at.getDeclaredMethods()) {
          if (method.getName().equals(parts[1])) {
            return null;
          }
        }
        // What an interface declares its own parents may declare.
        for (Class<?> parent : at.getInterfaces()) {
          for (Method method : parent.getMethods()) {
            if (method.getName().equals(parts[1])) {
              return null;
            }
          }
        }
      }
    }
    return "no such method of " + found;
  }
}
