//! Cuts the program in two: what a first visit runs, and the rest, which is loaded when somebody does something.
//!
//! Functions are the units. Those of `later.txt` (no first visit called them when it was recorded) go into a second module
//! that shares memory, tables and globals with the first. Where the first module can reach one of them, a stub with the
//! same signature is left, which calls it through a table; the second module fills that table when it starts. A stub that
//! is called before traps; `boot/boot.js` sees to it that the rest is there before anything that a first visit does not do.
//!
//! A function that is not in the list, a new one for example, is in the first part. A list that is older than the code
//! may have what a first visit calls by now: the page begins anew with all of the program then, and a test fails.

use std::collections::{BTreeMap, BTreeSet};
use wasm_encoder::reencode::{Error, Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, Instruction, Module, RefType, TableSection, TableType, TypeSection,
    ValType,
};
use wasmparser::{ElementItems, ExternalKind, Name, Operator, Parser, Payload, TypeRef};

/// Where the second module's functions are, among the first module's exports.
const LATER: &str = "later";
/// The module name of the second module's imports.
const FIRST: &str = "first";
/// A body of this size is no larger than the stub that would stand for it.
const STUB: u64 = 12;

/// The two modules.
pub struct Parts {
    /// Starts the page.
    pub first: Vec<u8>,
    /// Is started with the first one's exports as its imports named [`FIRST`].
    pub rest: Vec<u8>,
}

/// What must be known of a module to cut it.
#[derive(Default)]
struct Known<'a> {
    types: Vec<wasmparser::FuncType>,
    type_section: Option<wasmparser::TypeSectionReader<'a>>,
    imported: u32,
    /// The type of every function, the imported ones first.
    functions: Vec<u32>,
    tables: Vec<wasmparser::TableType>,
    memories: Vec<wasmparser::MemoryType>,
    globals: Vec<wasmparser::GlobalType>,
    exported: BTreeSet<u32>,
    held: BTreeSet<u32>,
    bodies: Vec<wasmparser::FunctionBody<'a>>,
    calls: Vec<BTreeSet<u32>>,
    names: BTreeMap<u32, &'a str>,
}

fn told<T, E: std::fmt::Display>(r: Result<T, E>) -> Result<T, String> {
    r.map_err(|e| format!("the program cannot be cut: {e}"))
}

/// What a section holds.
fn all<T>(section: impl IntoIterator<Item = wasmparser::Result<T>>) -> Result<Vec<T>, String> {
    section.into_iter().map(told).collect()
}

/// The table through which the first part calls the rest.
fn table_of_stubs(size: usize) -> TableType {
    let size = size as u64;
    TableType { element_type: RefType::FUNCREF, minimum: size, maximum: Some(size), table64: false, shared: false }
}

impl<'a> Known<'a> {
    fn read(wasm: &'a [u8]) -> Result<Self, String> {
        let mut k = Known::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match told(payload)? {
                Payload::TypeSection(section) => {
                    k.type_section = Some(section.clone());
                    for t in section.into_iter_err_on_gc_types() {
                        k.types.push(told(t)?);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        match told(import)?.ty {
                            TypeRef::Func(t) => k.functions.push(t),
                            TypeRef::Table(t) => k.tables.push(t),
                            TypeRef::Memory(m) => k.memories.push(m),
                            TypeRef::Global(g) => k.globals.push(g),
                            _ => return Err("the program imports what cannot be cut".into()),
                        }
                    }
                    k.imported = k.functions.len() as u32;
                }
                Payload::FunctionSection(section) => {
                    k.functions.extend(all(section)?);
                }
                Payload::TableSection(section) => {
                    k.tables.extend(all(section)?.into_iter().map(|t| t.ty));
                }
                Payload::MemorySection(section) => {
                    k.memories.extend(all(section)?);
                }
                Payload::GlobalSection(section) => {
                    k.globals.extend(all(section)?.into_iter().map(|g| g.ty));
                }
                Payload::ExportSection(section) => {
                    let functions = all(section)?.into_iter().filter(|e| e.kind == ExternalKind::Func);
                    k.exported.extend(functions.map(|e| e.index));
                }
                Payload::StartSection { func, .. } => {
                    k.held.insert(func);
                }
                Payload::ElementSection(section) => {
                    for e in section {
                        let ElementItems::Functions(items) = told(e)?.items else {
                            return Err("the program's table of functions is made of expressions".into());
                        };
                        k.held.extend(all(items)?);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let mut calls = BTreeSet::new();
                    for op in told(body.get_operators_reader())? {
                        match told(op)? {
                            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                                calls.insert(function_index);
                            }
                            Operator::RefFunc { .. } | Operator::MemoryInit { .. } | Operator::DataDrop { .. } => {
                                return Err("the program uses an instruction that cannot be cut".into());
                            }
                            _ => {}
                        }
                    }
                    k.calls.push(calls);
                    k.bodies.push(body);
                }
                Payload::CustomSection(section) => {
                    if let wasmparser::KnownCustom::Name(names) = section.as_known() {
                        for part in names {
                            if let Name::Function(map) = told(part)? {
                                for naming in map {
                                    let naming = told(naming)?;
                                    k.names.insert(naming.index, naming.name);
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(k)
    }

    fn defined(&self) -> std::ops::Range<u32> {
        self.imported..self.functions.len() as u32
    }

    fn body(&self, f: u32) -> &wasmparser::FunctionBody<'a> {
        &self.bodies[(f - self.imported) as usize]
    }

    fn calls(&self, f: u32) -> &BTreeSet<u32> {
        &self.calls[(f - self.imported) as usize]
    }

    fn type_of(&self, f: u32) -> Result<&wasmparser::FuncType, String> {
        self.types.get(self.functions[f as usize] as usize).ok_or_else(|| "a function has no type".into())
    }
}

/// Cuts `wasm`; `is_later` is asked with the name of each function.
pub fn cut(wasm: &[u8], is_later: impl Fn(&str) -> bool) -> Result<Parts, String> {
    let known = Known::read(wasm)?;
    let later: BTreeSet<u32> = known
        .defined()
        .filter(|f| {
            let range = known.body(*f).range();
            range.end - range.start > STUB && known.names.get(f).is_some_and(|n| is_later(n))
        })
        .collect();
    let first: Vec<u32> = known.defined().filter(|f| !later.contains(f)).collect();
    let called: BTreeSet<u32> = first.iter().flat_map(|f| known.calls(*f)).copied().collect();
    // In the order of the table.
    let stubs: Vec<u32> = later
        .iter()
        .copied()
        .filter(|f| called.contains(f) || known.held.contains(f) || known.exported.contains(f))
        .collect();
    // What the rest calls in the first part.
    let needed: Vec<u32> = later
        .iter()
        .flat_map(|f| known.calls(*f))
        .copied()
        .filter(|f| !later.contains(f))
        .collect::<BTreeSet<u32>>()
        .into_iter()
        .collect();
    Ok(Parts {
        first: first_part(wasm, &known, &later, &stubs, &needed)?,
        rest: rest(&known, &later, &stubs, &needed)?,
    })
}

/// A short name for the `n`th export of a kind.
fn short(kind: char, n: usize) -> String {
    // No name of the program's own begins so.
    let mut name = format!("${kind}");
    let mut n = n;
    loop {
        name.push(char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[n % 36]));
        n /= 36;
        if n == 0 {
            return name;
        }
    }
}

fn first_part(
    wasm: &[u8],
    known: &Known<'_>,
    later: &BTreeSet<u32>,
    stubs: &[u32],
    needed: &[u32],
) -> Result<Vec<u8>, String> {
    /// The module as it is, with stubs for the later functions that it can reach and without the others.
    struct First<'k, 'a> {
        known: &'k Known<'a>,
        later: &'k BTreeSet<u32>,
        slots: BTreeMap<u32, u32>,
        needed: &'k [u32],
        new: BTreeMap<u32, u32>,
        next: u32,
    }
    impl Reencode for First<'_, '_> {
        type Error = String;

        fn function_index(&mut self, f: u32) -> Result<u32, Error<String>> {
            self.new.get(&f).copied().ok_or_else(|| Error::UserError("a function that was cut away is needed".into()))
        }
        fn parse_function_section(
            &mut self,
            functions: &mut FunctionSection,
            _: wasmparser::FunctionSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            for f in self.known.defined().filter(|f| self.new.contains_key(f)) {
                functions.function(self.known.functions[f as usize]);
            }
            Ok(())
        }
        fn parse_table_section(
            &mut self,
            tables: &mut TableSection,
            section: wasmparser::TableSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            utils::parse_table_section(self, tables, section)?;
            tables.table(table_of_stubs(self.slots.len()));
            Ok(())
        }
        fn parse_export_section(
            &mut self,
            exports: &mut ExportSection,
            section: wasmparser::ExportSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            utils::parse_export_section(self, exports, section)?;
            exports.export(LATER, ExportKind::Table, self.known.tables.len() as u32);
            for (n, f) in self.needed.iter().enumerate() {
                let index = self.function_index(*f)?;
                exports.export(&short('f', n), ExportKind::Func, index);
            }
            for n in 0..self.known.tables.len() {
                exports.export(&short('t', n), ExportKind::Table, n as u32);
            }
            for n in 0..self.known.memories.len() {
                exports.export(&short('m', n), ExportKind::Memory, n as u32);
            }
            for n in 0..self.known.globals.len() {
                exports.export(&short('g', n), ExportKind::Global, n as u32);
            }
            Ok(())
        }
        fn parse_function_body(
            &mut self,
            code: &mut CodeSection,
            body: wasmparser::FunctionBody<'_>,
        ) -> Result<(), Error<String>> {
            let f = self.next;
            self.next += 1;
            if !self.later.contains(&f) {
                return utils::parse_function_body(self, code, body);
            }
            let Some(slot) = self.slots.get(&f) else { return Ok(()) };
            let mut stub = Function::new([]);
            let params = self.known.type_of(f).map_err(Error::UserError)?.params().len();
            for p in 0..params {
                stub.instruction(&Instruction::LocalGet(p as u32));
            }
            stub.instruction(&Instruction::I32Const(*slot as i32));
            stub.instruction(&Instruction::CallIndirect {
                type_index: self.known.functions[f as usize],
                table_index: self.known.tables.len() as u32,
            });
            stub.instruction(&Instruction::End);
            code.function(&stub);
            Ok(())
        }
        fn parse_custom_section(
            &mut self,
            _: &mut Module,
            _: wasmparser::CustomSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            Ok(())
        }
    }

    let slots: BTreeMap<u32, u32> = stubs.iter().zip(0..).map(|(f, slot)| (*f, slot)).collect();
    let stay = (0..known.functions.len() as u32).filter(|f| !later.contains(f) || slots.contains_key(f));
    let new = stay.zip(0..).collect();
    let mut module = Module::new();
    told(First { known, later, slots, needed, new, next: known.imported }.parse_core_module(
        &mut module,
        Parser::new(0),
        wasm,
    ))?;
    Ok(module.finish())
}

fn rest(known: &Known<'_>, later: &BTreeSet<u32>, stubs: &[u32], needed: &[u32]) -> Result<Vec<u8>, String> {
    /// Only renumbers functions: memory, tables and globals are imported in their order and keep their numbers.
    struct Rest {
        new: BTreeMap<u32, u32>,
    }
    impl Reencode for Rest {
        type Error = String;

        fn function_index(&mut self, f: u32) -> Result<u32, Error<String>> {
            self.new.get(&f).copied().ok_or_else(|| Error::UserError("the rest calls what it does not know".into()))
        }
    }

    let mut as_is = RoundtripReencoder;
    let mut types = TypeSection::new();
    if let Some(section) = known.type_section.clone() {
        told(as_is.parse_type_section(&mut types, section))?;
    }
    let mut imports = ImportSection::new();
    for (n, f) in needed.iter().enumerate() {
        imports.import(FIRST, &short('f', n), EntityType::Function(known.functions[*f as usize]));
    }
    for (n, t) in known.tables.iter().enumerate() {
        imports.import(FIRST, &short('t', n), EntityType::Table(told(as_is.table_type(*t))?));
    }
    imports.import(FIRST, LATER, EntityType::Table(table_of_stubs(stubs.len())));
    for (n, m) in known.memories.iter().enumerate() {
        imports.import(FIRST, &short('m', n), EntityType::Memory(told(as_is.memory_type(*m))?));
    }
    for (n, g) in known.globals.iter().enumerate() {
        imports.import(FIRST, &short('g', n), EntityType::Global(told(as_is.global_type(*g))?));
    }
    let mut rest = Rest { new: needed.iter().chain(later).copied().zip(0..).collect() };
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for f in later {
        functions.function(known.functions[*f as usize]);
        told(rest.parse_function_body(&mut code, known.body(*f).clone()))?;
    }
    let mut elements = ElementSection::new();
    let slots: Vec<u32> = stubs.iter().map(|f| told(rest.function_index(*f))).collect::<Result<_, _>>()?;
    elements.active(Some(known.tables.len() as u32), &ConstExpr::i32_const(0), Elements::Functions(slots.into()));
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    Ok(module.finish())
}

/// The program with a mark for every function that is called, and the functions' names in the order of their marks: the
/// exports `$r0`, `$r1`, … are 1 then.
pub fn marked(wasm: &[u8]) -> Result<(Vec<u8>, Vec<String>), String> {
    struct Marks<'k, 'a> {
        known: &'k Known<'a>,
        next: u32,
    }
    impl Reencode for Marks<'_, '_> {
        type Error = String;

        fn parse_global_section(
            &mut self,
            globals: &mut GlobalSection,
            section: wasmparser::GlobalSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            utils::parse_global_section(self, globals, section)?;
            for _ in self.known.defined() {
                let mark = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
                globals.global(mark, &ConstExpr::i32_const(0));
            }
            Ok(())
        }
        fn parse_export_section(
            &mut self,
            exports: &mut ExportSection,
            section: wasmparser::ExportSectionReader<'_>,
        ) -> Result<(), Error<String>> {
            utils::parse_export_section(self, exports, section)?;
            for n in 0..self.known.defined().len() {
                exports.export(&format!("$r{n}"), ExportKind::Global, (self.known.globals.len() + n) as u32);
            }
            Ok(())
        }
        fn parse_function_body(
            &mut self,
            code: &mut CodeSection,
            body: wasmparser::FunctionBody<'_>,
        ) -> Result<(), Error<String>> {
            let mut f = self.new_function_with_parsed_locals(&body)?;
            f.instruction(&Instruction::I32Const(1));
            f.instruction(&Instruction::GlobalSet(self.known.globals.len() as u32 + self.next));
            self.next += 1;
            let mut reader = body.get_operators_reader()?;
            while !reader.eof() {
                f.instruction(&self.parse_instruction(&mut reader)?);
            }
            code.function(&f);
            Ok(())
        }
    }
    let known = Known::read(wasm)?;
    let mut module = Module::new();
    told(Marks { known: &known, next: 0 }.parse_core_module(&mut module, Parser::new(0), wasm))?;
    let names = known.defined().map(|f| known.names.get(&f).copied().unwrap_or_default().to_string()).collect();
    Ok((module.finish(), names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{MemorySection, MemoryType, NameMap, NameSection};
    use wasmparser::Validator;

    /// `small`, `used` (by the export `start`), `inner` (by `used` only), `pointed` (in the table) and `start`.
    fn program() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        let body = |callee: Option<u32>, length: i32| {
            let mut f = Function::new([]);
            f.instruction(&Instruction::LocalGet(0));
            if let Some(callee) = callee {
                f.instruction(&Instruction::Call(callee));
            }
            for n in 0..length {
                f.instruction(&Instruction::I32Const(n)).instruction(&Instruction::I32Add);
            }
            f.instruction(&Instruction::End);
            f
        };
        for f in [body(None, 0), body(Some(2), 9), body(Some(0), 9), body(None, 9), body(Some(1), 9)] {
            functions.function(0);
            code.function(&f);
        }
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            minimum: 1,
            maximum: None,
            table64: false,
            shared: false,
        });
        let mut memories = MemorySection::new();
        memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
        let mut globals = GlobalSection::new();
        let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(stack, &ConstExpr::i32_const(1024));
        let mut exports = ExportSection::new();
        exports.export("start", ExportKind::Func, 4);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(vec![3].into()));
        let mut naming = NameMap::new();
        for (f, name) in ["small", "used", "inner", "pointed", "start"].into_iter().enumerate() {
            naming.append(f as u32, name);
        }
        let mut names = NameSection::new();
        names.functions(&naming);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&tables).section(&memories).section(&globals);
        module.section(&exports).section(&elements).section(&code).section(&names);
        module.finish()
    }

    fn good(wasm: &[u8]) -> Known<'_> {
        Validator::new().validate_all(wasm).expect("a valid module");
        Known::read(wasm).expect("a module")
    }

    #[test]
    fn both_parts_are_valid_and_nothing_is_lost() {
        let program = program();
        good(&program);
        let parts = cut(&program, |name| name != "start").expect("two parts");
        let (first, rest) = (good(&parts.first), good(&parts.rest));
        // `small` is no larger than a stub; `inner` is called from the rest only.
        assert_eq!(first.defined().len(), 4, "small, two stubs, start");
        assert_eq!((rest.imported, rest.defined().len()), (1, 3), "small; used, inner, pointed");
        assert!(parts.first.windows(5).any(|w| w == LATER.as_bytes()), "the table of stubs is exported");
        assert!(first.names.is_empty() && rest.names.is_empty(), "names are not shipped");
    }

    #[test]
    fn without_a_list_all_is_in_the_first_part() {
        let program = program();
        let parts = cut(&program, |_| false).expect("two parts");
        let (first, rest) = (good(&parts.first), good(&parts.rest));
        assert_eq!((first.defined().len(), rest.functions.len()), (5, 0));
        assert!(cut(b"no module", |_| true).is_err());
    }

    #[test]
    fn every_function_gets_its_mark() {
        let program = program();
        let (marked, names) = marked(&program).expect("a module");
        let known = good(&marked);
        assert_eq!((known.globals.len(), names.len()), (6, 5));
        assert_eq!(names[3], "pointed");
    }
}
